// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/divide_regions.h"

#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/ir/barrier.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

// Copies of fewer instructions are not worth a barrier. Kernels of ten barriers have some hundred.
constexpr std::size_t kMaxCopied = 500;
// So many regions may reach a join. Twice as many may reach a loop's header: those that enter the
// loop, and those that come from its end. A barrier there would be crossed in each iteration.
constexpr unsigned kMaxReaching = 3;
// What a join that has a barrier itself does before that, and regions may copy.
constexpr unsigned kMaxBeforeBarrier = 16;
// Each round divides the regions that remained; none was seen to need more than three.
constexpr unsigned kMaxRounds = 8;

bool has_barrier(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const auto& instruction) { return is_barrier(instruction); });
}

// Which regions reach which blocks, and the joins at which that is too many.
class RegionReach {
 public:
  explicit RegionReach(llvm::Function& body)
      : dominators_(body), loops_(dominators_), uniformity_(body, false) {
    for (auto* block : llvm::ReversePostOrderTraversal(&body)) {
      numbers_[block] = static_cast<unsigned>(blocks_.size());
      blocks_.push_back({block});
      auto& state = blocks_.back();
      for (const auto& instruction : *block) {
        if (is_barrier(instruction)) {
          if (!state.has_barrier)
            state.size_before_barrier = state.size;
          state.has_barrier = true;
        }
        ++state.size;
      }
      if (!state.has_barrier)
        state.size_before_barrier = state.size;
    }
    for (auto& state : blocks_)
      if (state.has_barrier)
        for (auto* loop = loops_.getLoopFor(state.block); loop != nullptr;
             loop = loop->getParentLoop())
          if (!loops_with_barriers_.insert(loop).second)
            break;
    for (auto& state : blocks_)
      state.max_reaching = state.has_barrier && state.size_before_barrier <= kMaxBeforeBarrier
                               ? 0
                               : limit_at(*state.block);
  }

  // Instructions of the copies that regions have of blocks that others reach, too.
  std::size_t copied() {
    propagate(false);
    std::size_t count = 0;
    for (const auto& state : blocks_)
      if (const auto reaching = state.reaching.count(); reaching > 1)
        count += (reaching - 1) * state.size_before_barrier;
    return count;
  }

  // The joins that become regions.
  llvm::SmallVector<llvm::BasicBlock*, 16> joins() {
    for (unsigned round = 0; round < kMaxRounds && propagate(true); ++round)
      continue;
    llvm::SmallVector<llvm::BasicBlock*, 16> found;
    for (const auto& state : blocks_)
      if (state.is_join)
        found.push_back(state.block);
    return found;
  }

 private:
  struct Block {
    llvm::BasicBlock* block;
    unsigned size = 0;
    unsigned size_before_barrier = 0;
    unsigned max_reaching = 0; // 0: any number
    bool has_barrier = false;
    bool is_join = false;
    llvm::BitVector reaching = {}; // regions, by the number of the block in which they begin
  };

  unsigned limit_at(llvm::BasicBlock& block) const {
    const auto* loop = loops_.getLoopFor(&block);
    if (!block.hasNPredecessorsOrMore(2) || !uniformity_.is_convergent(block) ||
        (loop != nullptr && !loops_with_barriers_.contains(loop)))
      return 0;
    return loop != nullptr && loop->getHeader() == &block ? 2 * kMaxReaching : kMaxReaching;
  }

  // Finds the regions that reach each block. `divides`: makes joins of blocks that too many reach,
  // and returns whether there were any.
  bool propagate(bool divides) {
    for (auto& state : blocks_)
      state.reaching = llvm::BitVector(static_cast<unsigned>(blocks_.size()));
    blocks_.front().reaching.set(0);
    bool has_new_joins = false;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& state : blocks_) {
        const auto before = state.reaching.count();
        for (const auto* predecessor : llvm::predecessors(state.block)) {
          const auto from = numbers_.find(predecessor);
          if (from == numbers_.end())
            continue; // not reachable
          const auto& other = blocks_[from->second];
          if (other.has_barrier || other.is_join)
            state.reaching.set(from->second);
          else
            state.reaching |= other.reaching;
        }
        const auto now = state.reaching.count();
        changed |= now != before;
        if (divides && !state.is_join && state.max_reaching != 0 && now > state.max_reaching)
          has_new_joins = changed = state.is_join = true;
      }
    }
    return has_new_joins;
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  WorkGroupUniformity uniformity_;
  std::vector<Block> blocks_; // in reverse post-order
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers_;
  llvm::SmallPtrSet<const llvm::Loop*, 16> loops_with_barriers_;
};

} // namespace

void divide_regions(llvm::Function& body) {
  if (!llvm::any_of(body, has_barrier))
    return;
  RegionReach reach(body);
  if (reach.copied() <= kMaxCopied)
    return;
  auto& barrier = declare_barrier(*body.getParent());
  for (auto* join : reach.joins()) {
    llvm::IRBuilder<> builder(join, join->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(join->getTerminator()->getDebugLoc());
    builder.CreateCall(&barrier);
  }
}

} // namespace heddle::compiler
