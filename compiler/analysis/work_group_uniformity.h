// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values and blocks are the same for all sub-groups of a work-group.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// Analyzes a kernel's body, in which each work-item is a sub-group of its own, or a variant before
// it is split at barriers. A value is uniform if it depends only on arguments, sizes and group ids,
// constant memory and other uniform values, in blocks that all sub-groups execute equally often.
// Loads from other memory are divergent: another sub-group may have changed it.
class WorkGroupUniformity {
 public:
  // `is_masked`: the parameter before the group is the number of active lanes.
  WorkGroupUniformity(llvm::Function& function, bool is_masked);

  // Whether all sub-groups execute the block equally often, and convergent blocks in the same
  // order.
  bool is_convergent(const llvm::BasicBlock& block) const {
    return !divergent_blocks_.contains(&block);
  }
  // Whether the value is uniform and is computed in a convergent block.
  bool is_uniform(const llvm::Instruction& value) const {
    return !divergent_.contains(&value) && is_convergent(*value.getParent());
  }
  // Whether sub-groups may leave the block to different successors.
  bool has_divergent_branch(const llvm::BasicBlock& block) const;

 private:
  bool is_source(const llvm::Instruction& instruction) const;
  bool is_divergent(const llvm::Instruction& instruction) const;

  llvm::SmallPtrSet<const llvm::Value*, 32> divergent_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> divergent_blocks_;
};

// Whether it loads from the launch, the group or constant memory, which do not change while a group
// runs.
bool is_invariant_load(const llvm::LoadInst& load);

} // namespace heddle::compiler
