// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds checks and checks for borders at the start of a kernel:
//
//   before                 after
//   if (i < n)             if (i < n in all lanes)
//     BODY                   BODY
//   else                   else
//     NOTHING OR RARE        start again in the masked variant
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Makes the guards uniform: if not all lanes of all rows pass, the sub-group starts again in the
// masked variant, or returns if all of them fail. For variants with LaneMapping::row that have a
// masked variant to start again in.
class UniformizeGuardsPass : public KernelPass<UniformizeGuardsPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
