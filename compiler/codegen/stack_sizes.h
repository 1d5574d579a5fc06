// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stack sizes of kernels.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/ADT/DenseMap.h"

namespace heddle::compiler {

// Bytes of the frame of each function, as code generation reports them.
using FrameSizes = llvm::DenseMap<const llvm::Function*, std::uint64_t>;

// Sets private_bytes (a work-item's frames and what it keeps across barriers) and stack_bytes (with
// room for libm and calls of the runtime) from the deepest chain of calls; stack_bytes is 0 if
// functions recurse.
void set_stack_sizes(Kernel& kernel, const FrameSizes& frames);

} // namespace heddle::compiler
