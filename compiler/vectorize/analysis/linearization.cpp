// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/linearization.h"

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

namespace heddle::compiler {
namespace {

// The node of `block` at the level of `loop` (null: the function), where inner loops are single
// nodes: the block, or the header of the inner loop that contains it. Null if `loop` does not
// contain the block.
llvm::BasicBlock* node_at_level(const llvm::LoopInfo& loops, const llvm::Loop* loop,
                                llvm::BasicBlock* block) {
  auto* inner = loops.getLoopFor(block);
  if (inner == loop)
    return block;
  while (inner != nullptr && inner->getParentLoop() != loop)
    inner = inner->getParentLoop();
  return inner != nullptr ? inner->getHeader() : nullptr;
}

} // namespace

Linearization::Linearization(llvm::Function& function, const LaneShapes& shapes,
                             llvm::LoopInfo& loops, llvm::DominatorTree& dominators)
    : loops_(loops), dominators_(dominators) {
  unsigned number = 0;
  const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function);
  for (const auto* block : blocks)
    reverse_post_order_[block] = number++;
  order_level(nullptr, function.getEntryBlock());
  for (unsigned i = 0; i < order_.size(); ++i)
    positions_[order_[i]] = i;
  find_equivalents();
  find_mask_owners(function, shapes);
}

// Appends the blocks of one loop (or of the function), in preorder of the dominator tree in which
// inner loops are single nodes.
void Linearization::order_level(const llvm::Loop* loop, llvm::BasicBlock& entry) {
  llvm::DenseMap<llvm::BasicBlock*, llvm::SmallVector<llvm::BasicBlock*, 4>> children;
  const auto add = [&](llvm::BasicBlock* node) {
    if (node == &entry)
      return;
    auto* dominator = dominators_.getNode(node)->getIDom()->getBlock();
    children[node_at_level(loops_, loop, dominator)].push_back(node);
  };
  if (loop != nullptr) {
    for (auto* block : loop->blocks())
      if (node_at_level(loops_, loop, block) == block)
        add(block);
  } else {
    for (auto& block : *entry.getParent())
      if (node_at_level(loops_, nullptr, &block) == &block)
        add(&block);
  }
  llvm::SmallVector<llvm::BasicBlock*, 16> stack{&entry};
  while (!stack.empty()) {
    auto* node = stack.pop_back_val();
    auto* inner = loops_.getLoopFor(node);
    if (inner != loop)
      order_level(inner, *node);
    else
      order_.push_back(node);
    auto& next = children[node];
    // A stack: the last one pushed is visited first.
    llvm::sort(next, [&](auto* a, auto* b) {
      return reverse_post_order_.lookup(a) > reverse_post_order_.lookup(b);
    });
    stack.append(next.begin(), next.end());
  }
}

// Post-dominance within one iteration of the innermost loop: back edges and exit edges lead to one
// virtual exit. Blocks are visited from the last to the first.
void Linearization::find_equivalents() {
  constexpr unsigned kVirtualExit = ~0U;
  // Immediate post-dominator among the level's nodes, as a position.
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> post;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> depth;
  // The successors of an inner loop's node are the targets of its exit edges.
  const auto successors_of = [&](llvm::BasicBlock* node, const llvm::Loop* level,
                                 llvm::SmallVectorImpl<llvm::BasicBlock*>& result) {
    auto* inner = loops_.getLoopFor(node);
    const bool is_loop = inner != level;
    const auto add = [&](llvm::BasicBlock* from) {
      for (auto* successor : llvm::successors(from)) {
        if (is_loop && inner->contains(successor))
          continue;
        auto* other = node_at_level(loops_, level, successor);
        if (other == nullptr || (level != nullptr && successor == level->getHeader()))
          other = nullptr;
        result.push_back(other);
      }
      if (llvm::succ_empty(from))
        result.push_back(nullptr);
    };
    if (is_loop)
      for (auto* block : inner->blocks())
        add(block);
    else
      add(node);
  };
  const auto nearest_common = [&](const llvm::BasicBlock* a, const llvm::BasicBlock* b) {
    while (a != b) {
      if (a == nullptr || b == nullptr)
        return static_cast<const llvm::BasicBlock*>(nullptr);
      auto*& lower = positions_.lookup(a) < positions_.lookup(b) ? a : b;
      const auto up = post.lookup(lower);
      lower = up == kVirtualExit ? nullptr : order_[up];
    }
    return a;
  };
  // Every block is a node of its innermost level; headers are also nodes of the outer one.
  // Equivalents of a block are looked for at its innermost level.
  const auto process_level = [&](const llvm::Loop* level) {
    post.clear();
    llvm::SmallVector<llvm::BasicBlock*, 32> nodes;
    // A loop's blocks are consecutive in the order.
    auto blocks = llvm::ArrayRef(order_);
    if (level != nullptr)
      blocks = blocks.slice(positions_.lookup(level->getHeader()), level->getNumBlocks());
    for (auto* block : blocks)
      if (node_at_level(loops_, level, block) == block)
        nodes.push_back(block);
    for (auto* node : llvm::reverse(nodes)) {
      llvm::SmallVector<llvm::BasicBlock*, 4> next;
      successors_of(node, level, next);
      const llvm::BasicBlock* common = next.empty() ? nullptr : next.front();
      for (const auto* other : next)
        common = common == nullptr || other == nullptr ? nullptr : nearest_common(common, other);
      post[node] = common == nullptr ? kVirtualExit : positions_.lookup(common);
    }
    // The nearest dominator at this level that the node post-dominates. If the node does not
    // post-dominate its immediate dominator, which is on every path to it, it post-dominates no
    // other dominator either.
    for (auto* node : nodes) {
      auto* tree = dominators_.getNode(node)->getIDom();
      for (; tree != nullptr; tree = tree->getIDom()) {
        auto* candidate = node_at_level(loops_, level, tree->getBlock());
        if (candidate == nullptr || candidate == node)
          break;
        if (level != nullptr && !level->contains(candidate))
          break;
        const llvm::BasicBlock* at = candidate;
        while (at != nullptr && at != node && positions_.lookup(at) < positions_.lookup(node)) {
          const auto up = post.lookup(at);
          at = up == kVirtualExit ? nullptr : order_[up];
        }
        if (at != node)
          break;
        // The mask of a loop's node is its preheader's: continue with the dominators of that.
        if (loops_.getLoopFor(candidate) != level) {
          tree = dominators_.getNode(candidate);
          continue;
        }
        if (loops_.getLoopFor(node) == level)
          equivalents_[node] = candidate;
        break;
      }
    }
  };
  process_level(nullptr);
  for (auto* loop : loops_.getLoopsInPreorder())
    process_level(loop);
}

// Null if the block has a mask of its own.
const llvm::BasicBlock* Linearization::compute_mask_owner(llvm::BasicBlock& block,
                                                          const LaneShapes& shapes) const {
  auto* loop = loops_.getLoopFor(&block);
  if (loop != nullptr && loop->getHeader() == &block) {
    if (is_divergent(*loop))
      return nullptr;
    auto* preheader = loop->getLoopPreheader();
    return mask_owners_.lookup(preheader);
  }
  if (const auto* equivalent = equivalents_.lookup(&block))
    return mask_owners_.lookup(equivalent);
  const llvm::BasicBlock* common = nullptr;
  for (auto* predecessor : llvm::predecessors(&block)) {
    if (shapes.has_divergent_branch(*predecessor))
      return nullptr;
    // Lanes leave a divergent loop in different iterations.
    for (auto* left = loops_.getLoopFor(predecessor); left != nullptr && !left->contains(&block);
         left = left->getParentLoop())
      if (is_divergent(*left))
        return nullptr;
    const auto* owner = mask_owners_.lookup(predecessor);
    if (common != nullptr && owner != common)
      return nullptr;
    common = owner;
  }
  return common != nullptr && dominators_.dominates(common, &block) ? common : nullptr;
}

const llvm::BasicBlock* Linearization::init_block(const llvm::BasicBlock& block) const {
  const auto* node = dominators_.getNode(&block)->getIDom();
  if (node == nullptr)
    return nullptr;
  // If the dominator is in a loop that does not contain the block, lanes may arrive from several of
  // its iterations: all edges are after the loop's preheader.
  for (const auto* loop = loops_.getLoopFor(node->getBlock());
       loop != nullptr && !loop->contains(&block); loop = loops_.getLoopFor(node->getBlock()))
    node = dominators_.getNode(loop->getHeader())->getIDom();
  return node->getBlock();
}

bool Linearization::is_available_after(const llvm::BasicBlock& block,
                                       const llvm::Value& value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction == nullptr || dominators_.dominates(instruction->getParent(), &block);
}

// True if a loop was found that was not known to be divergent.
bool Linearization::find_divergent_loops(const LaneShapes& shapes) {
  bool found = false;
  for (auto* loop : loops_.getLoopsInPreorder()) {
    if (is_divergent(*loop))
      continue;
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    const auto* all = mask_owners_.lookup(loop->getHeader());
    if (llvm::any_of(exiting, [&](auto* block) {
          return shapes.has_divergent_branch(*block) || mask_owners_.lookup(block) != all;
        }))
      found |= divergent_loops_.insert(loop).second;
  }
  return found;
}

void Linearization::find_mask_owners(llvm::Function& function, const LaneShapes& shapes) {
  do {
    mask_owners_.clear();
    for (auto* block : order_) {
      const auto* owner =
          block == &function.getEntryBlock() ? block : compute_mask_owner(*block, shapes);
      mask_owners_[block] = owner != nullptr ? owner : block;
    }
  } while (find_divergent_loops(shapes));
}

} // namespace heddle::compiler
