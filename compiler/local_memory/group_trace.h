// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions that a group executes, in one block.
#pragma once

#include "compiler/local_memory/traced_memory.h"
#include "compiler/local_memory/traced_values.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/PostDominators.h"

namespace heddle::compiler {

// Executes code at compile time from an edge to the latch of a loop, as far as it depends on
// constants: branches are followed, instructions are copied, and what they access in local memory
// and in the frames of barrier regions is kept in registers. Code behind a branch that depends on
// other values is executed if that may be done all the same, under masks.
class GroupTrace {
 public:
  struct Limits {
    unsigned register_bits;
    unsigned executed; // instructions, of which
    unsigned copied;   // not known at compile time, of one register each
  };

  // `begins_undefined`: nothing was stored in the group's memory before the edge.
  GroupTrace(llvm::Function& function, const llvm::DominatorTree& dominators,
             const llvm::PostDominatorTree& post_dominators, llvm::LoadInst* frames,
             const Limits& limits, bool begins_undefined);
  GroupTrace(const GroupTrace&) = delete;
  GroupTrace& operator=(const GroupTrace&) = delete;
  ~GroupTrace();

  // Whether the latch was reached. If the edge is from a block to itself, from its phis on.
  bool follow(llvm::BasicBlock* from, llvm::BasicBlock* to, llvm::BasicBlock* latch);
  // Where follow() gave up.
  llvm::BasicBlock* stopped_at() const { return stopped_at_; }
  // Whether more instructions would have been copied than the limit allows.
  bool is_too_long() const { return copied() > limits_.copied; }

  // After follow(), replaces the edge by one to the block, which ends like the latch. Nothing else
  // behind the latch may use what was executed than phis of its successors.
  void take_edge(llvm::BasicBlock* from, llvm::BasicBlock* to, llvm::BasicBlock* latch);

  unsigned executed() const { return executed_; }
  unsigned copied() const { return copied_ + memory_.shuffles(); }
  const TracedMemory& memory() const { return memory_; }

 private:
  // Code that is executed although its condition may be false.
  struct Guard {
    llvm::BasicBlock* join;
    llvm::Value* condition;
    llvm::Value* mask; // the condition is that a lane of it is active; or null
    llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>, 4> otherwise;
  };

  bool enter(llvm::BasicBlock* from, llvm::BasicBlock* to);
  bool can_end(llvm::BasicBlock* latch);
  llvm::BasicBlock* successor(llvm::BasicBlock* block);
  llvm::BasicBlock* check_successor(llvm::BranchInst& branch, llvm::Value* condition);
  llvm::BasicBlock* guarded_successor(llvm::BranchInst& branch, llvm::Value* condition);
  bool is_covered(llvm::Value* mask);
  llvm::Value* all_conditions();

  bool execute(llvm::Instruction& instruction);
  bool execute_access(llvm::Instruction& instruction, const TracedAddress& address);
  bool execute_load(llvm::Instruction& instruction, const TracedAddress& address, llvm::Value* mask,
                    llvm::Value* inactive);
  bool execute_store(llvm::Value* value, const TracedAddress& address, llvm::Value* mask);
  bool copy(llvm::Instruction& instruction);
  void copy_marker(llvm::Instruction& marker);
  bool may_be_copied(llvm::Instruction& instruction);
  bool may_execute_guarded(const llvm::Instruction& instruction);
  unsigned registers_of(const llvm::Value& value) const;

  const llvm::DataLayout& layout_;
  llvm::LoadInst* frames_;
  const llvm::PostDominatorTree& post_dominators_;
  const Limits limits_;
  TracedValues values_;
  TracedMemory memory_;
  llvm::BasicBlock* block_;                        // the last one
  llvm::SmallVector<llvm::BasicBlock*, 4> blocks_; // all of them until they belong to the function
  llvm::IRBuilder<llvm::InstSimplifyFolder> builder_;
  llvm::SmallVector<Guard, 2> guards_;
  llvm::BasicBlock* stopped_at_ = nullptr;
  llvm::Instruction* last_marker_ = nullptr;
  unsigned executed_ = 0;
  unsigned copied_ = 0;
};

} // namespace heddle::compiler
