// Which blocks are jumped over when no lane is active.
#include "compiler/vectorise/emitter.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {
namespace {

// What a block costs when it is run with no lane active; nothing if it must not be.
std::optional<unsigned> idle_cost(const llvm::BasicBlock& block, const Shapes& shapes) {
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

// Equality is met by few work-items, such as those at the edge of an image.
bool is_rare(const llvm::Value& condition, bool is_met) {
  using llvm::PatternMatch::m_LogicalAnd;
  using llvm::PatternMatch::m_LogicalOr;
  using llvm::PatternMatch::m_Value;
  const llvm::Value *a = nullptr, *b = nullptr;
  if (llvm::PatternMatch::match(&condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return is_met ? is_rare(*a, true) && is_rare(*b, true)
                  : is_rare(*a, false) || is_rare(*b, false);
  if (llvm::PatternMatch::match(&condition, m_LogicalAnd(m_Value(a), m_Value(b))))
    return is_met ? is_rare(*a, true) || is_rare(*b, true)
                  : is_rare(*a, false) && is_rare(*b, false);
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  return compare != nullptr &&
         compare->getPredicate() == (is_met ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE);
}

bool is_rarely_run(const llvm::BasicBlock& block) {
  const auto* before = block.getSinglePredecessor();
  const auto* branch =
      before != nullptr ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  return branch != nullptr && branch->isConditional() &&
         is_rare(*branch->getCondition(), branch->getSuccessor(0) == &block);
}

} // namespace

// Of a block for the one work-item whose id is some number, which all lanes get to ask: whether the
// sub-group has it, told from the number of lane 0 alone; else null. It is the way most kernels
// store what a group has found out.
llvm::Value* Emitter::meets_constant(const llvm::BasicBlock& block) {
  const auto* before = block.getSinglePredecessor();
  const auto* branch =
      before != nullptr ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (plan_.rows != 1 || branch == nullptr || !branch->isConditional() ||
      loops_.getLoopFor(before) != loops_.getLoopFor(&block))
    return nullptr;
  const auto masks = owned_masks_.find(&schedule_.mask_owner(*before));
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  const auto met =
      branch->getSuccessor(0) == &block ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE;
  if (masks == owned_masks_.end() || masks->second[0] != nullptr || compare == nullptr ||
      compare->getPredicate() != met || !compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  const auto& id = *compare->getOperand(0);
  const auto& number = *compare->getOperand(1);
  if (shapes_.is_uniform(id) || shapes_.stride(id) != 1 || !shapes_.is_uniform(number) ||
      id.getType()->getIntegerBitWidth() < 16)
    return nullptr;
  auto* distance = builder_.CreateSub(scalar(number, 0), scalar(id, 0));
  return builder_.CreateICmpULT(distance, llvm::ConstantInt::get(id.getType(), plan_.width));
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
  const auto cheap = is_rarely_run(block) ? kCheapRareRegion : kCheapRegion;
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
