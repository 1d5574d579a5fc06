// Two lanes of 32 bits in a word of 64.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// What takes one of two lanes out of a word that they were put into (VectorCombinePass does so)
// becomes an element again. It is as fast, and code generation of LLVM 22 forgets the upper lane
// when the lower one is an index.
class SplitPackedLanesPass : public llvm::PassInfoMixin<SplitPackedLanesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
