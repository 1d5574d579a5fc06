// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private variables to registers, in functions of many.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Promotes private scalars of few uses, such as loops' counters, in functions that have many.
// LLVM's PromoteMemToReg, as part of SROA, keeps the values of all variables for each block, which
// takes time in proportion to both; this visits the blocks between a variable's uses. Variables
// that debug information describes are left to SROA.
class PromoteShortVariablesPass : public llvm::PassInfoMixin<PromoteShortVariablesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
