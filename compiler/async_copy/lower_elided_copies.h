// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the copies of ElideLocalCopiesPass.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Replaces calls of kCopyUnlessElided (conditional_copy.h) by a branch around the copy. Runs after
// vectorization, which treats the calls as copies.
class LowerElidedCopiesPass : public llvm::PassInfoMixin<LowerElidedCopiesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
