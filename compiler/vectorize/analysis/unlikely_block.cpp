// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/unlikely_block.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/ProfDataUtils.h"

#include <cstdint>
#include <utility>

namespace heddle::compiler {

bool is_unlikely(const llvm::BasicBlock& block) {
  constexpr std::uint64_t kLeastRatio = 64;
  const auto* predecessor = block.getSinglePredecessor();
  std::uint64_t taken = 0, not_taken = 0;
  if (predecessor == nullptr ||
      !llvm::extractBranchWeights(*predecessor->getTerminator(), taken, not_taken))
    return false;
  if (predecessor->getTerminator()->getSuccessor(0) != &block)
    std::swap(taken, not_taken);
  return taken * kLeastRatio < not_taken;
}

} // namespace heddle::compiler
