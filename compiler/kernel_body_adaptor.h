// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Runs function passes on the bodies of kernels: "kernel-body(PASSES)" in pipelines of heddle-opt.
// Functions that the passes add are not visited.
class KernelBodyAdaptor : public llvm::PassInfoMixin<KernelBodyAdaptor> {
 public:
  KernelBodyAdaptor(Compilation& compilation, llvm::FunctionPassManager passes)
      : compilation_(compilation), passes_(std::move(passes)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    auto& functions =
        analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    for (auto& kernel : compilation_.kernels) {
      passes_.run(*kernel.body, functions);
      functions.clear(*kernel.body, kernel.body->getName());
    }
    return llvm::PreservedAnalyses::none();
  }

 private:
  Compilation& compilation_;
  llvm::FunctionPassManager passes_;
};

} // namespace heddle::compiler
