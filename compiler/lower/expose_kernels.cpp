// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/expose_kernels.h"

#include "llvm/IR/Module.h"

namespace heddle::compiler {

llvm::PreservedAnalyses ExposeKernelsPass::run(llvm::Module& /*module*/,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& kernel : compilation_.kernels)
    kernel.body->setLinkage(llvm::GlobalValue::ExternalLinkage);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
