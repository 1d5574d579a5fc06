// What is the same for all sub-groups of a work-group.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// Of a kernel's body (each work-item is a sub-group of its own then) or of a vector form, before it
// is split at its barriers. Values are the same for all
// sub-groups that have run equally far if they are made of nothing but arguments, sizes and group
// numbers, constant memory, and each other, in blocks that all sub-groups come to equally often.
// Other memory is not looked into: what stands there may be another's by now.
class WorkGroupUniformity {
 public:
  // `is_masked`: the parameter before the group is the number of active lanes.
  WorkGroupUniformity(llvm::Function& function, bool is_masked);

  // All sub-groups come to the block, and in the same order to blocks of this kind.
  bool is_in_step(const llvm::BasicBlock& block) const { return !parted_.contains(&block); }
  // The same, and made in a block that is in step.
  bool is_common(const llvm::Instruction& value) const {
    return !own_.contains(&value) && is_in_step(*value.getParent());
  }
  // Whether sub-groups may go on from the block to different ones.
  bool parts_ways(const llvm::BasicBlock& block) const;

 private:
  bool is_source(const llvm::Instruction& instruction) const;
  bool is_own(const llvm::Instruction& instruction) const;

  llvm::SmallPtrSet<const llvm::Value*, 32> own_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> parted_;
};

// Words of the launch and the group, and constant memory: nothing changes them while a group runs.
bool is_invariant_load(const llvm::LoadInst& load);

} // namespace heddle::compiler
