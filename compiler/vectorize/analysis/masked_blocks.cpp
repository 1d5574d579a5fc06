// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/masked_blocks.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"

namespace heddle::compiler {

BlockSet masked_blocks(llvm::Function& kernel, const LaneShapes& shapes, const BlockSet& uniform) {
  const llvm::PostDominatorTree post_dominators(kernel);
  BlockSet masked;
  for (auto* branch : llvm::ReversePostOrderTraversal<llvm::Function*>(&kernel)) {
    // Branches in between meet again no later.
    if (!shapes.has_divergent_branch(*branch) || masked.contains(branch) ||
        uniform.contains(branch))
      continue;
    const auto* meeting = post_dominators.getNode(branch)->getIDom();
    llvm::SmallVector<const llvm::BasicBlock*, 8> reached(llvm::successors(branch));
    while (!reached.empty()) {
      const auto* block = reached.pop_back_val();
      if ((meeting == nullptr || block != meeting->getBlock()) && masked.insert(block).second)
        reached.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
  }
  return masked;
}

} // namespace heddle::compiler
