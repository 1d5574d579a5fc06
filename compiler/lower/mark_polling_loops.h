// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Independent forward progress of sub-groups (OpenCL C 6.15.19): a sub-group that waits for another
// one of its group lets it run.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Inserts a yield (ir/barrier.h) where loops that may wait for another work-item
// (analysis/polling_loops.h) repeat, and sets Kernel::has_polling_loops and has_barrier of the
// kernels that reach one: their sub-groups run on fibers. Work-group functions of such kernels
// begin with a barrier, because they rely on that sub-groups come in the order of their ids.
//
// Runs when calls were inlined, after AddWorkItemParamsPass; before LowerCollectiveBuffersPass.
//
//   loop:                                         loop:
//     %f = load atomic i32, ptr %flag acquire       %f = load atomic i32, ptr %flag acquire
//     %wait = icmp eq i32 %f, 0                     %wait = icmp eq i32 %f, 0
//     br i1 %wait, label %loop, label %done         br i1 %wait, label %again, label %done
//                                                 again:
//                                                   call void @heddle.yield()
//                                                   br label %loop
class MarkPollingLoopsPass : public llvm::PassInfoMixin<MarkPollingLoopsPass> {
 public:
  explicit MarkPollingLoopsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
