// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interleaves private arrays: the lanes' copies of an element are consecutive in memory, so that an
// access with a uniform index is one wide load or store.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// Scales the addresses in all variables that can be interleaved: those that are only accessed by
// loads, stores and copies of elements of one size, and do not escape. After this, only the
// vectorizer, which allocates `width` times the size of such a variable, gives the function a
// meaning.
void interleave_private_arrays(llvm::Function& kernel, unsigned width);

// Whether the kernel has private variables in memory, which may be laid out for one width already.
bool has_private_variables(const llvm::Function& kernel);

// Bytes from a lane's first element to the next lane's, which is the size of an element; nothing if
// the variable is not interleaved.
std::optional<std::int64_t> interleaved_stride(const llvm::AllocaInst& variable);

// Bytes that each lane has of a variable: its size, rounded up to its alignment.
std::int64_t bytes_per_lane(const llvm::AllocaInst& variable);

} // namespace heddle::compiler
