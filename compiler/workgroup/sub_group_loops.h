// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one work-group of a kernel without barriers.
#pragma once

#include "compiler/workgroup/wrapper_builder.h"

namespace heddle::compiler {

// Emits loops that call the kernel's variants, or its body if it is scalar, for all work-items of
// the group.
void emit_sub_group_loops(WrapperBuilder& wrapper, const GroupValues& values);

} // namespace heddle::compiler
