// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits kernels at their barriers: the code between two barriers becomes a region, and a loop runs
// each region for all sub-groups of a work-group before the next one (emit_region_loops.h).
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/ir/kernel_pass.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Numbers the barriers of the body: the number is that of the region after the barrier. Variants
// that are made from the body keep it. Sets kernel.regions.count.
void number_barriers(Kernel& kernel);

// Replaces each variant by a function that runs one sub-group from one barrier to the next. It
// takes four more parameters and returns the region that follows, 0 at the kernel's end:
//   i32 region       the region to run; 0: the one at the kernel's start
//   ptr frame        what the sub-group keeps across barriers: metadata.frame_bytes bytes, aligned
//                    to 64
//   ptr uniform_in, ptr uniform_out
//                    in a convergent kernel, the values that are the same for all sub-groups, as
//                    the last region left them and as this one leaves them: regions.uniform_bytes
//                    bytes each. They differ because every sub-group reads the values from before
//                    the region.
// Any control flow is supported: a region ends at whichever barrier it reaches. Adds the variant
// `leader` if there can be one (leader_only_variant.h), and sets kernel.regions.
class FormBarrierRegionsPass : public KernelPass<FormBarrierRegionsPass> {
 public:
  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
