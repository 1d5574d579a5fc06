// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces loops whose results are formulas of their trip counts.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Removes each loop that has no effect but values that ScalarEvolution knows after any number of
// iterations, and whose number of iterations it knows; the values are computed before it. What
// IndVarSimplify and LoopDeletion do for such loops, and also for
// - loops that are not rotated;
// - conditions and operations that are the same in all iterations but inside of the loop;
// - trip counts that are known if a counter does not wrap around: the loop stays behind a check of
//   that.
// Loops that store, or call what may have effects stay as they are, and so do sums of what is
// loaded or of floats. Where lanes are formed of a loop that one lane leaves at once, they run
// through all of its iterations; so this runs before, and in plain units before their work is
// estimated.
//
//   do g -= 3; while (g);                             g = 0;
//   for (uint i = 0; i < n + id; ++i) g += 2;         if (n + id < 1 << 32) g += 2 * (n + id);
//                                                     else for (...) ...
class FoldLoopsPass : public llvm::PassInfoMixin<FoldLoopsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
