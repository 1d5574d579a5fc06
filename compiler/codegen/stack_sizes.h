// How much stack a kernel needs.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/ADT/DenseMap.h"

namespace heddle::compiler {

// Bytes of each function's frame, as code generation reported them.
using FrameSizes = llvm::DenseMap<const llvm::Function*, std::uint64_t>;

// Sets private_bytes (the item's own frames and what it keeps across barriers) and stack_bytes
// (with room for libm and for the calls into the runtime) from the deepest chain of calls;
// stack_bytes is 0 if functions recurse.
void set_stack_sizes(Kernel& kernel, const FrameSizes& frames);

} // namespace heddle::compiler
