// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The canonical form of a scalar kernel, from which it is vectorized.
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// One return; no switch, no unreachable block, no irreducible loop; loops in LoopSimplify and LCSSA
// form; private arrays interleaved; byval parameters are not written. Changes vectorized kernels
// only.
class CanonicalizePass : public KernelPass<CanonicalizePass> {
 public:
  static constexpr bool kNeedsPlan = true;

  using KernelPass::KernelPass;
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);
};

// The same for a function whose lanes are `width` work-items.
void canonicalize(llvm::Function& kernel, unsigned width, llvm::FunctionAnalysisManager& analyses);

// Copies byval parameters that are written to a private variable, since all work-items share them.
void copy_written_parameters(llvm::Function& kernel);

} // namespace heddle::compiler
