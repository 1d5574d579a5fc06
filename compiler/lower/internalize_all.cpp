// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/internalize_all.h"

#include "llvm/IR/Module.h"

namespace heddle::compiler {

llvm::PreservedAnalyses InternalizeAllPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& global : module.global_objects())
    if (!global.isDeclaration() && !global.hasAppendingLinkage())
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
