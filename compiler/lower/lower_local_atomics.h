// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on local memory without locks: one thread runs a work-group.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Runs after the vectorizer, which must keep the lanes of an atomic operation in sequence.
class LowerLocalAtomicsPass : public llvm::PassInfoMixin<LowerLocalAtomicsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
