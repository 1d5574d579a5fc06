// In which order a kernel's blocks run once divergent branches no longer branch, and under which
// mask (partial control-flow linearisation: Moll and Hack, PLDI 2018).
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

// Positions in the order; the smallest pending one runs next.
using Pending = std::set<unsigned>;

class Linearization {
 public:
  // The function is in the form that prepare() makes.
  Linearization(llvm::Function& function, const LaneShapes& shapes, llvm::LoopInfo& loops,
                llvm::DominatorTree& dominators);

  // Every block after those that dominate it; a loop's blocks, and the blocks that one dominates,
  // are together.
  llvm::ArrayRef<llvm::BasicBlock*> order() const { return order_; }
  unsigned position(const llvm::BasicBlock& block) const { return positions_.lookup(&block); }

  // The block that has the same lanes active, in the same iteration, and dominates this one; the
  // block itself if its mask is its own.
  const llvm::BasicBlock& mask_owner(const llvm::BasicBlock& block) const {
    return *owners_.lookup(&block);
  }
  // Where what comes to the block is gathered from nothing: every edge into it, in the same
  // iteration of its loop, is behind this one. Null for the function's first block.
  const llvm::BasicBlock* beginning_of(const llvm::BasicBlock& block) const;
  // Whether the value is known at the end of a block, as what it is wherever that block leads.
  bool is_known_behind(const llvm::BasicBlock& block, const llvm::Value& value) const;
  bool owns_mask(const llvm::BasicBlock& block) const { return &mask_owner(block) == &block; }
  // Lanes leave the loop in different iterations: it runs until none is left.
  bool is_divergent(const llvm::Loop& loop) const { return divergent_loops_.contains(&loop); }

 private:
  struct Level;
  void order_level(const llvm::Loop* loop, llvm::BasicBlock& entry);
  void find_owners(llvm::Function& function, const LaneShapes& shapes);
  bool find_divergent_loops(const LaneShapes& shapes);
  const llvm::BasicBlock* owner_of(llvm::BasicBlock& block, const LaneShapes& shapes) const;
  void find_equivalents();

  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::SmallVector<llvm::BasicBlock*, 32> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> positions_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> reverse_post_order_;
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> owners_;
  // A block that dominates this one, in the same loop, and from which every lane comes here in the
  // same iteration.
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> equivalents_;
  llvm::SmallPtrSet<const llvm::Loop*, 8> divergent_loops_;
};

} // namespace heddle::compiler
