// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Undoes the order in which InstCombine leaves a computation that it moves into the block of its
// only use, instruction by instruction:
//
//   before                     after
//   c = load                   a = load
//   b = load                   b = load
//   a = load                   s = a + b
//   s = a + b                  c = load
//   t = s + c                  t = s + c
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Orders a block depth first, operands that need most registers first, if that leaves fewer values
// alive at the same time. Nothing moves across an instruction with side effects.
struct OrderForPressurePass : llvm::PassInfoMixin<OrderForPressurePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
