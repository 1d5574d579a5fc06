// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers that CPUs execute slowly, or not at all.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Replaces gathers of all lanes by a load for each lane where the CPU's instruction is slower: Zen
// executes it as microcode (a walk through a row of each work-item's own takes 0.4 of the time).
// Masked gathers stay, and so do those beside a load of whole vectors that CoalesceGathersPass has
// added: these are seldom executed and would take registers. Runs after that pass, which looks for
// gathers. With AVX-512 the others of elements of 16 bits become gathers of the words
// around them; LLVM 22 would load and branch lane by lane.
class ExpandGathersPass : public llvm::PassInfoMixin<ExpandGathersPass> {
 public:
  // Of the functions that defer gathers, or of all others.
  ExpandGathersPass(const TargetInfo& target, bool are_deferred)
      : target_(target), are_deferred_(are_deferred) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
  const bool are_deferred_;
};

} // namespace heddle::compiler
