// Gives functions the hidden parameters that carry the identity of a work-item.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Gives hidden parameters to every kernel body and to every function that, itself or through what
// it calls, uses a work-item function, a barrier, printf, a __local or a program-scope variable.
// Uses of such variables in constant expressions become instructions.
class AddWorkItemParamsPass : public llvm::PassInfoMixin<AddWorkItemParamsPass> {
 public:
  explicit AddWorkItemParamsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
