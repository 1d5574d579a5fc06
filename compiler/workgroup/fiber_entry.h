// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that one fiber runs, of a kernel whose sub-groups cross barriers on fibers.
#pragma once

#include "compiler/workgroup/wrapper_builder.h"

namespace heddle::compiler {

// Adds the abi::ItemFunction NAME(group, index): the sub-group (in a scalar kernel, the work-item)
// of this index, counted row by row. Sets kernel.fiber_entry.
void make_fiber_entry(WrapperBuilder& wrapper, const llvm::Twine& name);

// The number of fibers that a group of this size needs.
llvm::Value* emit_fiber_count(WrapperBuilder& wrapper, llvm::Value* const (&size)[3]);

} // namespace heddle::compiler
