// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads that overlap in memory, such as the taps of a filter.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// For CPUs with AVX-512 on which a load across a cache line takes longer than a shuffle of two
// registers: of nine or more 64-byte loads within 64 bytes of each other, every second one between
// the first and the last is shuffled from its neighbors.
class ShuffleOverlappingLoadsPass : public llvm::PassInfoMixin<ShuffleOverlappingLoadsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
