// Loops that are unrolled before the vectoriser looks at them.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks short loops of known length whose indices are clamped, as filters over images have them:
// unrolled, one check tells for all their loads that no limit is met, and rows of a group see
// which loads they share. LoopFullUnrollPass does what the marks say.
struct MarkLoopsForUnrollPass : llvm::PassInfoMixin<MarkLoopsForUnrollPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
