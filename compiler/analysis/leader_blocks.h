// What only the group's first work-item does, for all of them.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

using LeaderBlocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

// Blocks that only the work-item (in a kernel's body) or the sub-group (in its vector forms) enters
// that leads the group.
LeaderBlocks leader_blocks(const llvm::Function& function, const llvm::DominatorTree& dominators);

} // namespace heddle::compiler
