// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects between the two buffers of work-group functions.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// uint __heddle_group_turn(__local ulong* count, bool is_first): alternates between 0 and 1, with
// the same result for all work-items of a group, which all call it equally often (OpenCL C
// 6.15.16). `is_first`: no other sub-group has called it yet. See builtins/work_groups.cl.
bool is_collective_buffer_index(llvm::StringRef name);

// In a kernel with all calls inlined the counter is a private variable, which optimization turns
// into constants outside of loops; in others it is `count`. Runs after inlining.
class LowerCollectiveBuffersPass : public llvm::PassInfoMixin<LowerCollectiveBuffersPass> {
 public:
  explicit LowerCollectiveBuffersPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
