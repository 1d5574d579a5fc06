// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/leader_blocks.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

LeaderBlocks leader_blocks(const llvm::Function& function, const llvm::DominatorTree& dominators) {
  LeaderBlocks found;
  for (const auto& block : function) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional() || !is_leader_query(*branch->getCondition()))
      continue;
    const llvm::BasicBlockEdge edge(&block, branch->getSuccessor(0));
    for (const auto& other : function)
      if (dominators.dominates(edge, &other))
        found.insert(&other);
  }
  return found;
}

} // namespace heddle::compiler
