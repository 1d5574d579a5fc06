// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sinks horizontal reductions out of loops.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// sum = sum + reduce(vector) in a loop becomes a vector accumulator and one reduction after the
// loop; + stands for any operation that may be reassociated. Work-group functions and atomics of
// all lanes become such loops over sub-groups.
//
//   for (...) sum += reduce(v);                  for (...) acc += v;  sum += reduce(acc);
class SinkHorizontalReductionsPass : public llvm::PassInfoMixin<SinkHorizontalReductionsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
