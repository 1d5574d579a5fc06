// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group-strided loops of which one sub-group executes all iterations of a row.
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// In `for (i = get_local_id(0); i < n; i += get_local_size(0))` a sub-group accesses memory with
// large strides. If an iteration is the same in any work-item, and depends on nothing that
// work-items have done since the last barrier, the first sub-group can execute all iterations in
// order. This pass makes the other sub-groups skip such loops; PeelMaskedRemainderPass changes the
// first one's iterations. For kernels whose sub-groups execute in order of x between barriers;
// affects the variants `whole`, `block` and `tail`.
class RedistributeGroupLoopsPass : public KernelPass<RedistributeGroupLoopsPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
