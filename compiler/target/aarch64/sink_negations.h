// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Negations where the instruction that subtracts a product makes them.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// LLVM's InstCombine takes the negation of a product for that of a factor, so that c - x * y * z
// becomes fma(-x * y, z, c). FMLS subtracts a product of two values as they are: the negation goes
// back behind the products that are factors of a multiply-add, which changes no result but the sign
// of a NaN.
class SinkNegationsPass : public llvm::PassInfoMixin<SinkNegationsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
