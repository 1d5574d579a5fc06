// Bitwise functions of three vectors, which hashes and ciphers are made of.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// For CPUs with AVX-512 (VL): three or more bitwise operations that are a function of three vectors
// become one vpternlog. LLVM finds those of two operations itself. Others it does not find, and
// (x & m) | (y & ~m) its reassociation takes apart, to add one half and then the other to what both
// are added to.
class MatchTernaryLogicPass : public llvm::PassInfoMixin<MatchTernaryLogicPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
