// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits for passes whose time is superlinear.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Some of LLVM's passes take time quadratic in a function's size. Larger functions are not
// optimized: seconds instead of minutes.
inline constexpr unsigned kMaxInstructionsOptimized = 30'000;

bool has_none_above(const llvm::Module& module, unsigned instructions);

// Larger functions become optnone and noinline.
class LimitHugeFunctionsPass : public llvm::PassInfoMixin<LimitHugeFunctionsPass> {
 public:
  explicit LimitHugeFunctionsPass(unsigned max_instructions)
      : max_instructions_(max_instructions) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const unsigned max_instructions_;
};

// Instruction scheduling takes time quadratic in the length of a block: functions with very long
// blocks become optnone.
class LimitSchedulingPass : public llvm::PassInfoMixin<LimitSchedulingPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
