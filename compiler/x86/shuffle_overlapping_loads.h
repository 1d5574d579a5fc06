// Vectors that overlap in memory, as the taps of a filter do.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// For CPUs with AVX-512 on which a load that crosses a line takes longer than a shuffle of two
// registers: of nine or more loads of registers of 64 bytes within such a register's length of each
// other, every second one between the first and the last is put together from these two.
class ShuffleOverlappingLoadsPass : public llvm::PassInfoMixin<ShuffleOverlappingLoadsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
