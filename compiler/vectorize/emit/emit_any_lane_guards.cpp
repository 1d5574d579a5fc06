// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_any_lane_guards.h"

#include "compiler/ir/bounds_check.h"
#include "compiler/vectorize/analysis/unlikely_block.h"
#include "compiler/vectorize/emit/ascending_bound.h"
#include "compiler/vectorize/transform/find_guards.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// Cost in instructions of executing a block with no lane active; nullopt if it must not be: it has
// side effects that a mask does not suppress.
std::optional<unsigned> cost_when_inactive(const llvm::BasicBlock& block,
                                           const LaneShapes& shapes) {
  unsigned cost = 0;
  for (const auto& instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) {
      ++cost;
      continue;
    }
    if (const auto* address = llvm::getLoadStorePointerOperand(&instruction)) {
      const auto stride = shapes.stride(*address);
      if (!stride || *stride == 0 || instruction.isVolatile() || instruction.isAtomic())
        return std::nullopt;
      cost += 2;
      continue;
    }
    if (is_bounds_check(instruction)) {
      cost += 2;
      continue;
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
      if (intrinsic == nullptr || !call->doesNotAccessMemory())
        return std::nullopt;
      cost += 2;
      continue;
    }
    if (instruction.mayReadOrWriteMemory() || instruction.isIntDivRem())
      return std::nullopt;
    cost += shapes.is_uniform(instruction) ? 0 : 1;
    if (instruction.getOpcode() == llvm::Instruction::FDiv)
      cost += 4;
  }
  return cost;
}

// Regions up to these costs are cheaper to execute than to branch around.
constexpr unsigned kMaxUnguardedCost = 12;
constexpr unsigned kMaxUnguardedRareCost = 4; // of a region whose branch is usually not taken

bool is_rarely_executed(const llvm::BasicBlock& block) {
  const auto* predecessor = block.getSinglePredecessor();
  const auto* branch = predecessor != nullptr
                           ? llvm::dyn_cast<llvm::BranchInst>(predecessor->getTerminator())
                           : nullptr;
  return branch != nullptr && branch->isConditional() &&
         is_rare(*branch->getCondition(), branch->getSuccessor(0) == &block);
}

} // namespace

llvm::Value* AnyLaneGuardEmitter::emit_condition(const llvm::BasicBlock& block) {
  auto* in_bound = any_lane_in_bound(block);
  return in_bound != nullptr ? in_bound : masks_.any_active(masks_.current());
}

// Whether any lane reaches a block that is guarded by the comparison of an ascending affine value
// with a uniform bound, computed from lanes 0 and width - 1 alone. All lanes must be active at the
// comparison. Typical are `if (id == k)`, by which one work-item stores a group's result, and
// `if (id < n)` in tree reductions. Null: the mask has to be tested.
llvm::Value* AnyLaneGuardEmitter::any_lane_in_bound(const llvm::BasicBlock& block) {
  const auto bound = entry_bound(block);
  if (!bound)
    return nullptr;
  const auto* masks = masks_.block_masks(linearization_.mask_owner(*block.getSinglePredecessor()));
  if (masks == nullptr || (*masks)[0] != nullptr)
    return nullptr;
  auto* first = scalar(*bound->number, 0);
  auto* limit = scalar(*bound->limit, 0);
  auto* last_offset = llvm::ConstantInt::get(first->getType(), bound->stride * (plan_.width - 1));
  if (bound->predicate == llvm::ICmpInst::ICMP_EQ)
    return builder_.CreateICmpULE(builder_.CreateSub(limit, first), last_offset);
  if (!bound->is_below())
    first = builder_.CreateAdd(first, last_offset);
  return builder_.CreateICmp(bound->predicate, first, limit);
}

std::optional<UniformBound> AnyLaneGuardEmitter::entry_bound(const llvm::BasicBlock& block) const {
  const auto* predecessor = block.getSinglePredecessor();
  const auto* branch = predecessor != nullptr
                           ? llvm::dyn_cast<llvm::BranchInst>(predecessor->getTerminator())
                           : nullptr;
  if (plan_.rows != 1 || branch == nullptr || !branch->isConditional() ||
      loops_.getLoopFor(predecessor) != loops_.getLoopFor(&block))
    return std::nullopt;
  return ascending_bound(*branch->getCondition(), branch->getSuccessor(0) == &block, shapes_,
                         kernel_);
}

bool AnyLaneGuardEmitter::is_needed(const llvm::BasicBlock& block,
                                    llvm::ArrayRef<Pending> pending) const {
  if (&block == &kernel_.getEntryBlock() || !linearization_.owns_mask(block))
    return false;
  const auto* loop = loops_.getLoopFor(&block);
  if (loop != nullptr && loop->getHeader() == &block)
    return false; // some lane is active in the preheader, and the latch tests the mask
  const auto first = linearization_.position(block);
  if (pending[first].empty())
    return false; // there is no other block to branch to
  if (is_unlikely(block))
    return true;
  // Most sub-groups are entirely below or above the bound: the branch is well predicted.
  const bool is_bounded = loop != nullptr && entry_bound(block).has_value();
  const auto cheap =
      is_bounded || is_rarely_executed(block) ? kMaxUnguardedRareCost : kMaxUnguardedCost;
  unsigned cost = 0;
  for (auto i = first; i < linearization_.order().size(); ++i) {
    const auto* other = linearization_.order()[i];
    if (i != first && pending[first].contains(i))
      break; // the target of the branch
    if (loops_.getLoopFor(other) != loop)
      return true;
    const auto block_cost = cost_when_inactive(*other, shapes_);
    if (!block_cost)
      return true;
    cost += *block_cost;
    if (cost > cheap)
      return true;
  }
  return false;
}

} // namespace heddle::compiler
