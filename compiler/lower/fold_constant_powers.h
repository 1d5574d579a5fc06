// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers with constant exponents.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Replaces pow with an exponent that is a constant integer n, |n| <= 8, by pown, which multiplies
// for such n, and with 0.5 by the square root, with the results of OpenCL C 7.5.1 for -0 and
// -infinity. Runs before LinkBuiltinsPass, while builtins are calls of known names; frontends leave
// constants as operands.
//
//   %y = call float @_Z3powff(%x, 2.0)           %y = call float @_Z4pownfi(%x, i32 2)
class FoldConstantPowersPass : public llvm::PassInfoMixin<FoldConstantPowersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
