// Loops that run over private arrays are unrolled where that turns the arrays into values.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Asks LLVM (llvm.loop.unroll.full) to unroll loops of constant length by which private arrays are
// indexed, if afterwards all indices of such an array are constants and the kernel does not become
// too long. An array is memory otherwise, as wide as all lanes.
class UnrollForSroaPass : public llvm::PassInfoMixin<UnrollForSroaPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
