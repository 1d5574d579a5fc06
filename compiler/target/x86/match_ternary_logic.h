// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches bitwise functions of three vectors, which hashes and ciphers consist of.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// With AVX-512 VL, three or more bitwise operations that compute a function of three vectors become
// one vpternlog. LLVM matches two operations itself, not more, and its reassociation splits (x & m)
// | (y & ~m) if the result is added to something.
//
//   (x & m) | (y & ~m)                           vpternlog(x, y, m, 0xCA)
class MatchTernaryLogicPass : public llvm::PassInfoMixin<MatchTernaryLogicPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
