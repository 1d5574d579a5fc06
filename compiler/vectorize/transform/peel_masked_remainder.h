// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unmasked copies of group-strided loops
// (i = get_local_id(0); i < n; i += get_local_size(0)).
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "compiler/vectorize/analysis/plan.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "compiler/vectorize/transform/peel_loop.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Adds a loop before each such loop, for the iterations in which all lanes of a sub-group are
// active: it has no masks, and its index does not wrap around between lanes. The remaining
// iterations execute in the original loop. For variants with LaneMapping::row. The function must be
// canonical and stays so. Sets unmasked_loops of the plan to the copies of redistributed loops.
class PeelMaskedRemainderPass : public KernelPass<PeelMaskedRemainderPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
