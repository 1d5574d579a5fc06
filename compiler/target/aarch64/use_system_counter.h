// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of clocks.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Reads the counter of the system, which all cores share and programs may read, in place of the
// cycle counter, which systems keep for themselves.
class UseSystemCounterPass : public llvm::PassInfoMixin<UseSystemCounterPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
