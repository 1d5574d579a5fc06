// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/forward_stores_to_next_iteration.h"

#include "llvm/IR/Function.h"
#include "llvm/Transforms/Scalar/LoopLoadElimination.h"

namespace heddle::compiler {

llvm::PreservedAnalyses
ForwardStoresToNextIterationPass::run(llvm::Function& function,
                                      llvm::FunctionAnalysisManager& analyses) {
  // Loops have no second version where code is to be small.
  const bool is_small = function.hasFnAttribute(llvm::Attribute::OptimizeForSize);
  function.addFnAttr(llvm::Attribute::OptimizeForSize);
  const auto preserved = llvm::LoopLoadEliminationPass().run(function, analyses);
  if (!is_small)
    function.removeFnAttr(llvm::Attribute::OptimizeForSize);
  return preserved;
}

} // namespace heddle::compiler
