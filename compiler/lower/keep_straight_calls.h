// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps calls of math functions in straight code, so that kernels are built sooner.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// After ApplyInlinePolicyPass, for units that are replaced if their launches take long: functions
// of numbers of which several copies would be inlined, one for each component in hand-vectorized
// code, stay calls where no loop repeats them. A sub-group calls their vector form
// (vectorize/emit/vector_forms.h), which takes some nanoseconds longer than a copy; a copy takes
// milliseconds to build.
//
//   global float4* a;                call <16 x float> @_Z3sinf.lanes16(<16 x float> %x)
//   a[i] = sin(a[i]);                ; three more, for %y, %z and %w
class KeepStraightCallsPass : public llvm::PassInfoMixin<KeepStraightCallsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
