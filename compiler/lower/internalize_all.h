// Makes every definition internal.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A program exports nothing but the kernel table, which MakeKernelWrappersPass adds.
class InternalizeAllPass : public llvm::PassInfoMixin<InternalizeAllPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
