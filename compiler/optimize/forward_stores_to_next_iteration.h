// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps in a register what a loop loads in the iteration after the one that stored it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// `x[i] = f(x[i - 1])`: a phi takes the place of the load, which vector code would do as a gather
// behind a scatter to the same memory, and which hides that each iteration waits for the one
// before. LLVM's LoopLoadElimination, in loops of which no second version is needed: the check
// between the two would differ from work-item to work-item. Nor in functions with a loop of very
// many accesses, where it takes long.
//
//   for (i) x[i + 1] = x[i] * a[i];                v = x[0]; for (i) { v *= a[i]; x[i + 1] = v; }
class ForwardStoresToNextIterationPass
    : public llvm::PassInfoMixin<ForwardStoresToNextIterationPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
