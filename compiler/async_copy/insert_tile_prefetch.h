// Loops over tiles: the next one's data is on its way while one is worked on.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// An async copy is done when its call returns, so between two copies the memory is idle, and the
// caches' own prefetching, which follows the copy, has stopped. Where a loop reads local memory
// behind an async copy into it, what lies behind the copy's source is fetched into the cache as the
// loop goes on: in a kernel that works from tile to tile that is what the next copy wants.
class InsertTilePrefetchPass : public llvm::PassInfoMixin<InsertTilePrefetchPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
