// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiply-adds that stay what they are on the way through LLVM's passes.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// llvm.fmuladd may be rounded once or twice, and code generation rounds it once. But LLVM's loop
// vectorizer, which on AArch64 also adds the elements of vectors one after another, makes products
// and such sums of it. Then the results of scalar code differ from those of vectorized kernels in
// the last bits. llvm.fma is not split, and the same instruction.
class FuseMultiplyAddsPass : public llvm::PassInfoMixin<FuseMultiplyAddsPass> {
 public:
  explicit FuseMultiplyAddsPass(const TargetInfo& target) : halves_(target.has_half_arithmetic) {}
  llvm::PreservedAnalyses run(llvm::Function& function,
                              llvm::FunctionAnalysisManager& analyses) const;

 private:
  bool halves_; // else a later pass expands these
};

} // namespace heddle::compiler
