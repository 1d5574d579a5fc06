// Keeps passes that take superlinear time away from huge functions.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Some of LLVM's passes take time quadratic in a function's size. Past this size a function is
// translated as it is: seconds instead of minutes.
inline constexpr unsigned kMaxInstructionsOptimized = 30'000;

bool has_none_above(const llvm::Module& module, unsigned instructions);

// Larger functions are neither inlined nor optimized by code generation.
class LimitHugeFunctionsPass : public llvm::PassInfoMixin<LimitHugeFunctionsPass> {
 public:
  explicit LimitHugeFunctionsPass(unsigned max_instructions)
      : max_instructions_(max_instructions) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const unsigned max_instructions_;
};

// Instruction scheduling takes time quadratic in a block's length: functions with very long blocks
// are not scheduled.
class LimitSchedulingPass : public llvm::PassInfoMixin<LimitSchedulingPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
