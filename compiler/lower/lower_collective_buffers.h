// Which of two places in local memory a work-group function hands its result round in.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// uint __heddle_group_turn(__local ulong* count, bool is_first): 0 and 1 in turn, the
// same for all work-items of a group, which all call it the same number of times (OpenCL
// C 6.15.16). `is_first` says that no other sub-group has come yet. See builtins/work_groups.cl.
bool is_collective_buffer_index(llvm::StringRef name);

// A kernel that all calls have been inlined into counts in a private variable, which optimisation
// makes a constant outside of loops; others in `count`. Comes behind inlining.
class LowerCollectiveBuffersPass : public llvm::PassInfoMixin<LowerCollectiveBuffersPass> {
 public:
  explicit LowerCollectiveBuffersPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
