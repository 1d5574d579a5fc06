// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of vectors of three components.
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Makes one load, or store, of a vector of three of loads or stores of its components, if those of
// all lanes are contiguous: pixels of three channels, vload3 and vstore3. Sub-groups then move all
// lanes' vectors at once instead of every third element three times. Where nothing in between may
// access the same memory, and in blocks that all lanes execute: masks of components take longer.
// Loads also where lanes' addresses are not consecutive, if those are best loaded at once: bytes,
// and words with VectorPlan::loads_three_words.
class MergeComponentsPass : public KernelPass<MergeComponentsPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
