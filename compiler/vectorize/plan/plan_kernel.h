// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides how each kernel is vectorized.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Creates the VectorizationPlan of a kernel whose calls have been inlined: chooses its width from
// its instructions, and whether barriers split it into regions or need fibers. Runs on the bodies
// of kernels.
class ChooseWidthPass : public llvm::PassInfoMixin<ChooseWidthPass> {
 public:
  explicit ChooseWidthPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& body, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Completes the plan of a canonical body: corrects the width by the costs of loops and by register
// pressure, and decides which variants there are (has_variant()). Numbers the barriers that the
// kernel is split at.
class ChooseVariantsPass : public llvm::PassInfoMixin<ChooseVariantsPass> {
 public:
  explicit ChooseVariantsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& body, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
