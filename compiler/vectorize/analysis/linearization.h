// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partial control-flow linearization (Moll and Hack, PLDI 2018): the order in which a kernel's
// blocks execute if divergent branches are replaced by masks, and which blocks share a mask.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

#include <set>

namespace llvm {
class Loop;
class LoopInfo;
class DominatorTree;
} // namespace llvm

namespace heddle::compiler {

class LaneShapes;

// Positions of blocks that still have to execute; the lowest executes next.
using Pending = std::set<unsigned>;

class Linearization {
 public:
  // The function is canonical (CanonicalizePass).
  Linearization(llvm::Function& function, const LaneShapes& shapes, llvm::LoopInfo& loops,
                llvm::DominatorTree& dominators);

  // Every block is after its dominators; the blocks of a loop, and the blocks that a block
  // dominates, are consecutive.
  llvm::ArrayRef<llvm::BasicBlock*> order() const { return order_; }
  unsigned position(const llvm::BasicBlock& block) const { return positions_.lookup(&block); }

  // The dominating block with the same active lanes in the same iteration; the block itself if it
  // has a mask of its own.
  const llvm::BasicBlock& mask_owner(const llvm::BasicBlock& block) const {
    return *mask_owners_.lookup(&block);
  }
  // The nearest dominator in the same iteration of the block's innermost loop, which is before all
  // edges into the block: the block's mask and phis are initialized there. Null for the entry
  // block.
  const llvm::BasicBlock* init_block(const llvm::BasicBlock& block) const;
  // Whether the value is available at the end of a block: it is not an instruction, or is defined
  // in a block that dominates this one.
  bool is_available_after(const llvm::BasicBlock& block, const llvm::Value& value) const;
  bool owns_mask(const llvm::BasicBlock& block) const { return &mask_owner(block) == &block; }
  // Lanes leave the loop in different iterations: it executes until none is active.
  bool is_divergent(const llvm::Loop& loop) const { return divergent_loops_.contains(&loop); }

 private:
  void order_level(const llvm::Loop* loop, llvm::BasicBlock& entry);
  void find_mask_owners(llvm::Function& function, const LaneShapes& shapes);
  bool find_divergent_loops(const LaneShapes& shapes);
  const llvm::BasicBlock* compute_mask_owner(llvm::BasicBlock& block,
                                             const LaneShapes& shapes) const;
  void find_equivalents();

  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::SmallVector<llvm::BasicBlock*, 32> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> positions_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> reverse_post_order_;
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> mask_owners_;
  // A dominator of the block in the same loop that the block post-dominates within the iteration.
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> equivalents_;
  llvm::SmallPtrSet<const llvm::Loop*, 8> divergent_loops_;
};

} // namespace heddle::compiler
