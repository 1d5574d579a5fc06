// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permutations of lanes that are known at run time.
#pragma once

#include "compiler/vectorize/analysis/plan.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// For each lane the value of the lane that its index names, modulo the lanes. Both are vectors of
// plan.width elements, the indices of 32 bits.
llvm::Value* permute_lanes(llvm::IRBuilderBase& builder, llvm::Value* values, llvm::Value* index,
                           const VectorPlan& plan);

} // namespace heddle::compiler
