// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Square roots of several vectors of doubles.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// A square root of eight doubles occupies the divider for 16 cycles or more, while the multipliers
// are idle. Where a vector fills two registers or more, every other one is computed by
// multiplication, to the same bits. Does nothing without AVX-512.
class ExpandSqrtF64Pass : public llvm::PassInfoMixin<ExpandSqrtF64Pass> {
 public:
  explicit ExpandSqrtF64Pass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

} // namespace heddle::compiler
