// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks loops over private arrays for unrolling.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks loops of constant trip count that index private arrays for full unrolling
// (llvm.loop.unroll.full), if all indices of the array are constants afterwards and the kernel does
// not become too large. SROA then replaces the array, which otherwise stays in memory with an
// element for each lane.
//
//   float w[4]; for (j = 0; j < 4; ++j) w[j] = ...     w0 = ...; w1 = ...; w2 = ...; w3 = ...
class UnrollForSroaPass : public llvm::PassInfoMixin<UnrollForSroaPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
