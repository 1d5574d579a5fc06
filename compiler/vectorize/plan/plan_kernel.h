// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides how each kernel is vectorized.
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Creates the VectorizationPlan of a kernel whose calls have been inlined: chooses its width from
// its instructions and compilation.limits, and whether barriers split it into regions or need
// fibers. Runs on the bodies of kernels.
class ChooseWidthPass : public KernelPass<ChooseWidthPass> {
 public:
  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

// Completes the plan of a canonical body: corrects the width by the costs of loops and by register
// pressure, and decides which variants there are (has_variant()). Numbers the barriers that the
// kernel is split at.
class ChooseVariantsPass : public KernelPass<ChooseVariantsPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);

 private:
  void choose_rows(Kernel& kernel) const;
};

} // namespace heddle::compiler
