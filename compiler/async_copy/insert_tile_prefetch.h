// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetches the next tile in loops over a tile in local memory.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// An async copy is complete when its call returns, so between two copies memory is idle and
// hardware prefetchers, which follow the copy's loads, have stopped. A loop that reads local memory
// after an async copy to it prefetches, as it proceeds, the memory after the copy's source: in a
// kernel that works from tile to tile the next copy reads that.
class InsertTilePrefetchPass : public llvm::PassInfoMixin<InsertTilePrefetchPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
