// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of scalar code whose vectors LLVM would gather and scatter.
#pragma once

#include "llvm/IR/PassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace heddle::compiler {

// Has LLVM's loop vectorizer count the loads, stores and moves of all lanes in place of a gather or
// a scatter, in functions that are not vectorized: where these instructions are microcode they take
// several times what LLVM's cost tables say.
class AvoidGathersPass : public llvm::PassInfoMixin<AvoidGathersPass> {
 public:
  explicit AvoidGathersPass(const llvm::TargetMachine& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const llvm::TargetMachine& target_;
};

} // namespace heddle::compiler
