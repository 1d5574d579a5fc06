// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotation of loops in large functions.
#pragma once

#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace heddle::compiler {

// Rotates all loops of functions that have many. LLVM's pass updates the dominator tree for each of
// them, which takes time in proportion to the blocks behind it: with 330 loops in a row it is most
// of the simplification. Without the tree the rotation is the same, and one computation is enough.
class RotateManyLoopsPass : public llvm::PassInfoMixin<RotateManyLoopsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

// LLVM's LoopRotatePass, but for loops of very many blocks, as of a long switch: each use of what
// goes from one iteration to the next is rewritten by a search through all of them.
class RotateLoopPass : public llvm::PassInfoMixin<RotateLoopPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                     llvm::LoopStandardAnalysisResults& results,
                                     llvm::LPMUpdater& updater);
};

} // namespace heddle::compiler
