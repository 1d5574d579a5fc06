#include "compiler/passes/led_blocks.h"

#include "compiler/passes/lane_functions.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

LedBlocks led_blocks(const llvm::Function& function, const llvm::DominatorTree& dominators) {
  LedBlocks found;
  for (const auto& block : function) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional() || !asks_who_leads(*branch->getCondition()))
      continue;
    const llvm::BasicBlockEdge edge(&block, branch->getSuccessor(0));
    for (const auto& other : function)
      if (dominators.dominates(edge, &other))
        found.insert(&other);
  }
  return found;
}

} // namespace heddle::compiler
