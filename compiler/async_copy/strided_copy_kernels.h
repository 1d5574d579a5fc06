// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided loads and stores of elements by full vectors, for builtins/copy_gather.h and
// copy_scatter.h. They need AVX-512.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Whether loads of full vectors, blended and shuffled into order, are the fastest way to load
// elements of `size` (1 or 2) bytes at this stride in bytes.
bool can_load_by_blends(const TargetInfo& target, unsigned size, const llvm::Value* stride);
// Expands the call (address, stride), which loads the elements of a vector. It also reads the bytes
// between the elements, and up to a stride less one element after the last.
llvm::Value* emit_load_by_blends(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                                 unsigned size);

// Whether masked stores of full, shuffled vectors are the fastest way to store elements of `size`
// bytes at this stride in bytes: if a cache line has more than one of them.
bool can_store_by_shuffles(const TargetInfo& target, unsigned size, const llvm::Value* stride);
// Expands the call (address, stride, values), which stores the elements of a vector. Bytes between
// them are not written.
llvm::Value* emit_store_by_shuffles(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                                    unsigned size);

} // namespace heddle::compiler
