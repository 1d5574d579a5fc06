// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks the functions of vectorized kernels.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Adds kVectorizedAttribute to all functions of vectorized kernels.
class MarkVectorizedPass : public llvm::PassInfoMixin<MarkVectorizedPass> {
 public:
  explicit MarkVectorizedPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
