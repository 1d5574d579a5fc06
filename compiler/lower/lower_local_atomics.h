// A work-group runs on one thread: atomic accesses to its local memory need no locks.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// After the vectoriser, which must still know that lanes go one after the other there.
class LowerLocalAtomicsPass : public llvm::PassInfoMixin<LowerLocalAtomicsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
