// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps kernel bodies alive.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Kernel bodies have no callers yet: GlobalDCE would delete them if they were internal.
class ExposeKernelsPass : public llvm::PassInfoMixin<ExposeKernelsPass> {
 public:
  explicit ExposeKernelsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
