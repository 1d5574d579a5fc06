// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of adjacent elements of each lane.
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Makes one load, or store, of a vector of two to four of loads or stores of its components:
// complex numbers, coordinates and pixels, vload3 and vstore3. Where nothing in between may access
// the same memory.
// - If the vectors of all lanes are contiguous, sub-groups move them at once, instead of every n-th
//   element n times. Loads need not be of all elements: what is between two of them is loaded, too.
//   In blocks that all lanes execute, since masks of components take longer, or of elements that a
//   lane accesses as one integer.
// - If lanes' vectors are apart, there is one access for each lane instead of one for each of its
//   elements; of three elements if those are best loaded at once: bytes, and words with
//   VectorPlan::loads_three_words.
class MergeComponentsPass : public KernelPass<MergeComponentsPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
