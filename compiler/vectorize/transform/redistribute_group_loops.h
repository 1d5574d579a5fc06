// Loops that work-items share out, run by one sub-group for all of a row.
#pragma once

#include "compiler/vectorize/analysis/plan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/ValueHandle.h"

namespace heddle::compiler {

struct RedistributedLoops {
  // By header: the condition, the same for the whole group, under which the first sub-group of a
  // row has all rounds to do, and the others jump over the loop.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> loops;
  // Parts of the conditions: that a row has at least one whole sub-group.
  llvm::SmallVector<llvm::Instruction*, 2> has_whole;

  // From here on the function is for whole sub-groups only.
  void state_all_are_whole();
};

// In `for (i = get_local_id(0); i < n; i += get_local_size(0))` each work-item takes every
// so-many-th round, and a sub-group goes through memory in leaps. Where it makes no difference
// which work-item does a round, and no work-item has done anything before that its rounds depend
// on, the first sub-group may do them all, one after the other. This lets the others jump over such
// loops; what is told of them peel_masked_remainder() is to heed. For kernels whose sub-groups
// come in the order of x, from barrier to barrier, in the form for whole sub-groups and in the one
// for a row's rest.
RedistributedLoops redistribute_group_loops(llvm::Function& kernel, const VectorPlan& plan);

} // namespace heddle::compiler
