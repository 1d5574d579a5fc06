// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions for which LLVM has no intrinsic of all targets. Defined in the target's folder.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler::target_instructions {

// Orders the stores past the caches before it with stores after it, where the CPU does not.
void emit_store_fence(llvm::IRBuilderBase& builder);

// For each number of `index` the word of `words` that has it. Both are vectors of as many elements
// of 32 bits, which fill several registers of `permutes.register_bits`, or one, in part or as a
// whole, if permutes of one register are not selected.
llvm::Value* permute_words(llvm::IRBuilderBase& builder, llvm::Value* words, llvm::Value* index,
                           const LanePermutes& permutes);

// Floats that round to the half nearest to a b + c, for floats that halves represent. For CPUs with
// TargetInfo::has_rounding_fma.
llvm::Value* odd_fma_of_halves(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b,
                               llvm::Value* c);

} // namespace heddle::compiler::target_instructions
