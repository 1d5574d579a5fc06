// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Non-temporal stores in group-strided loops that write more than the caches hold.
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "compiler/vectorize/analysis/plan.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Metadata of stores whose lane 0 is aligned to a cache line: the emitter makes them non-temporal.
constexpr auto kLineAligned = "heddle.line-aligned";

// A cached store to a line that is not in the cache reads it first; a non-temporal store does not.
// If the first sub-group executes all iterations of a loop (RedistributeGroupLoopsPass), and these
// overwrite whole cache lines of an argument that the kernel does not read, its stores get a
// non-temporal version for launches that write more than the caches hold. Sets
// has_nontemporal_loops if there is such a loop: a fence is then needed before others are told that
// the group is done.
class NontemporalGroupLoopsPass : public KernelPass<NontemporalGroupLoopsPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
