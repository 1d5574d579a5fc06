// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that only the group's first work-item executes.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

using LeaderBlocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

// Blocks that are dominated by the true edge of an is_leader query: only the group's first
// work-item (in a kernel's body) or first sub-group (in a variant) executes them.
LeaderBlocks leader_blocks(const llvm::Function& function, const llvm::DominatorTree& dominators);

} // namespace heddle::compiler
