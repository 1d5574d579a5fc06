// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments in whose memory no race is possible, whatever the order of work-items.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Finds the pointers to global memory whose memory the kernel only reads, or only accesses by
// atomic operations, or where each work-item accesses bytes of its own: at addresses that its
// global ids tell apart. A function ("order condition") computes from the launch whether that is
// so: its sizes and arguments, and that the memory of no two arguments overlaps. Checks of such
// accesses, but for atomic operations, by which others may be ordered, are only made if it is not.
//
// If these are all checks of a kernel without barriers, a second kernel without checks is added
// (ir/unchecked_kernel.h).
//
// Runs right before checks are lowered.
//
//   call void __heddle_check(i32 LOAD, ..., ptr addrspace(1) %in...)
//     br i1 %may_race, label %then, label %next
//   then:
//     call void __heddle_check(i32 LOAD, ..., ptr addrspace(1) %in...)
class SkipOrderedChecksPass : public llvm::PassInfoMixin<SkipOrderedChecksPass> {
 public:
  explicit SkipOrderedChecksPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
