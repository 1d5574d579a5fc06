// Sums over sub-groups are kept apart by lanes until a loop ends.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// sum = sum + reduce(vector), once for each iteration of a loop, becomes a vector of sums and one
// reduction behind the loop; `+` stands for any operation that may be done in any order. Work-group
// functions and atomics that all lanes share come as such loops over a group's sub-groups.
class SinkHorizontalReductionsPass : public llvm::PassInfoMixin<SinkHorizontalReductionsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
