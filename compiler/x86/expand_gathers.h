// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers on CPUs that execute them slowly.
#pragma once

#include "compiler/ir/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Replaces gathers of all lanes by a load for each lane where the CPU's instruction is slower: Zen
// executes it as microcode. Masked gathers stay, and so do those beside a load of whole vectors
// that CoalesceGathersPass has added: these are seldom executed and would take registers. Runs
// after that pass, which looks for gathers.
class ExpandGathersPass : public llvm::PassInfoMixin<ExpandGathersPass> {
 public:
  explicit ExpandGathersPass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

} // namespace heddle::compiler
