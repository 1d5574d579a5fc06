// Keeps kernel bodies that nothing calls yet.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// GlobalDCE would delete internal functions without callers.
class ExposeKernelsPass : public llvm::PassInfoMixin<ExposeKernelsPass> {
 public:
  explicit ExposeKernelsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
