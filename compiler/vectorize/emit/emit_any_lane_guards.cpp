// Which blocks are jumped over when no lane is active.
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/emit/emitter.h"
#include "compiler/vectorize/transform/uniformize_guards.h"
#include "llvm/Analysis/LoopInfo.h"

namespace heddle::compiler {
namespace {

// What a block costs when it is run with no lane active; nothing if it must not be.
std::optional<unsigned> idle_cost(const llvm::BasicBlock& block, const LaneShapes& shapes) {
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

constexpr unsigned kCheapRegion = 12;
constexpr unsigned kCheapRareRegion = 4;

bool is_rarely_run(const llvm::BasicBlock& block) {
  const auto* before = block.getSinglePredecessor();
  const auto* branch =
      before != nullptr ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  return branch != nullptr && branch->isConditional() &&
         is_rare(*branch->getCondition(), branch->getSuccessor(0) == &block);
}

} // namespace

// Of a block that lanes come to by a comparison of a number that goes up from lane to lane with one
// that is the same for all: where all lanes get to ask, lane 0 and the last one tell whether any
// goes there. So for the one work-item whose id is some number, the way most kernels store what a
// group has found out, and for those below a limit, as in trees. Null: it takes all lanes to tell.
llvm::Value* Emitter::meets_limit(const llvm::BasicBlock& block) {
  const auto limited = limit_of(block);
  if (!limited)
    return nullptr;
  const auto masks = owned_masks_.find(&schedule_.mask_owner(*block.getSinglePredecessor()));
  if (masks == owned_masks_.end() || masks->second[0] != nullptr)
    return nullptr;
  auto* first = scalar(*limited->number, 0);
  auto* limit = scalar(*limited->limit, 0);
  auto* reach = llvm::ConstantInt::get(first->getType(), limited->stride * (plan_.width - 1));
  if (limited->predicate == llvm::ICmpInst::ICMP_EQ)
    return builder_.CreateICmpULE(builder_.CreateSub(limit, first), reach);
  if (!limited->is_below())
    first = builder_.CreateAdd(first, reach);
  return builder_.CreateICmp(limited->predicate, first, limit);
}

std::optional<UniformBound> Emitter::limit_of(const llvm::BasicBlock& block) const {
  const auto* before = block.getSinglePredecessor();
  const auto* branch =
      before != nullptr ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (plan_.rows != 1 || branch == nullptr || !branch->isConditional() ||
      loops_.getLoopFor(before) != loops_.getLoopFor(&block))
    return std::nullopt;
  return limit_of(*branch->getCondition(), branch->getSuccessor(0) == &block);
}

// Nothing unless the active lanes' numbers go up, so that those below a limit are the first ones.
std::optional<UniformBound> Emitter::limit_of(const llvm::Value& condition, bool is_met) const {
  const auto found = UniformBound::find(condition, is_met, shapes_);
  if (!found || found->stride == 0)
    return std::nullopt;
  if (llvm::ICmpInst::isEquality(found->predicate))
    return found->predicate == llvm::ICmpInst::ICMP_EQ && found->stride == 1 ? found : std::nullopt;
  const bool is_signed = llvm::ICmpInst::isSigned(found->predicate);
  return shapes_.never_wraps(*found->number, is_signed) ||
                 (!is_signed && is_plain_id(*found->number, work_item_params(kernel_)))
             ? found
             : std::nullopt;
}

// Whether it is worth, or necessary, to jump over the block (and what it dominates) when no lane is
// active.
bool Emitter::needs_guard(const llvm::BasicBlock& block) const {
  if (&block == &kernel_.getEntryBlock() || !schedule_.owns_mask(block))
    return false;
  const auto* loop = loops_.getLoopFor(&block);
  if (loop != nullptr && loop->getHeader() == &block)
    return false; // somebody is active before the loop, and the latch looks
  const auto first = schedule_.position(block);
  if (pending_[first].empty())
    return false; // there is nowhere else to go
  // Whole sub-groups are below a limit or above it, and which ones is easily predicted.
  const bool is_limited = loop != nullptr && limit_of(block).has_value();
  const auto cheap = is_limited || is_rarely_run(block) ? kCheapRareRegion : kCheapRegion;
  unsigned cost = 0;
  for (auto i = first; i < schedule_.order().size(); ++i) {
    const auto* other = schedule_.order()[i];
    if (i != first && pending_[first].contains(i))
      break; // where the jump would lead
    if (loops_.getLoopFor(other) != loop)
      return true;
    const auto own = idle_cost(*other, shapes_);
    if (!own)
      return true;
    cost += *own;
    if (cost > cheap)
      return true;
  }
  return false;
}

} // namespace heddle::compiler
