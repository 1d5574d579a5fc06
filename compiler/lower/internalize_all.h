// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes every definition internal.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Makes every definition internal: a program exports only the kernel table, which
// MakeKernelWrappersPass adds.
class InternalizeAllPass : public llvm::PassInfoMixin<InternalizeAllPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
