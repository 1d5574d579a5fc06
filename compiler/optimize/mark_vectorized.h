// Tells the functions of vectorized kernels from scalar ones.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Adds kVectorizedAttribute to every function that was made of a vectorized kernel.
class MarkVectorizedPass : public llvm::PassInfoMixin<MarkVectorizedPass> {
 public:
  explicit MarkVectorizedPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
