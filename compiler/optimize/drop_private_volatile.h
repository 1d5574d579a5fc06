// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Makes plain accesses of volatile ones to private integers whose address goes nowhere, so that
// SROA can promote them: nothing else can see or change such a variable. Those to floating-point
// numbers stay, since programs keep fast math from reordering sums by them.
class DropPrivateVolatilePass : public llvm::PassInfoMixin<DropPrivateVolatilePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
