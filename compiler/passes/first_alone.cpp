#include "compiler/passes/first_alone.h"

#include "compiler/passes/lane_functions.h"
#include "compiler/passes/lower_barriers.h"
#include "compiler/passes/work_item_state.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

using namespace llvm::PatternMatch;

class Others {
 public:
  explicit Others(llvm::Function& form) : form_(form), x_(work_item_state(form).local_id[0]) {
    const llvm::DominatorTree dominators(form);
    for (const auto& block : form) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (branch == nullptr || !branch->isConditional())
        continue;
      const auto condition = condition_for_others(*branch->getCondition());
      if (!condition)
        continue;
      const llvm::BasicBlockEdge edge(&block, branch->getSuccessor(*condition ? 1 : 0));
      for (const auto& other : form)
        if (dominators.dominates(edge, &other))
          without_.insert(&other);
    }
  }

  bool do_nothing() const {
    for (const auto& block : form_)
      for (const auto& instruction : block)
        // Barriers order what others see of atomics as well.
        if (instruction.isAtomic() || (!without_.contains(&block) && does_something(instruction)))
          return false;
    return true;
  }

 private:
  // Where local id x is not zero; nothing if it is not sure.
  std::optional<bool> condition_for_others(const llvm::Value& condition) const {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&condition))
      return constant->isOne();
    if (asks_who_leads(condition))
      return false;
    if (const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(&condition))
      return compared->getPredicate() == llvm::ICmpInst::ICMP_NE && compared->getOperand(0) == x_ &&
                     match(compared->getOperand(1), m_Zero())
                 ? std::optional(true)
                 : std::nullopt;
    const llvm::Value *a = nullptr, *b = nullptr;
    if (!match(&condition, m_LogicalAnd(m_Value(a), m_Value(b))))
      return std::nullopt;
    const auto first = condition_for_others(*a), second = condition_for_others(*b);
    if (first == std::optional(false) || second == std::optional(false))
      return false;
    return first && second ? std::optional(true) : std::nullopt;
  }

  static bool does_something(const llvm::Instruction& instruction) {
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
      return false;
    return instruction.mayHaveSideEffects() && !is_barrier(instruction) &&
           !asks_who_leads(instruction);
  }

  const llvm::Function& form_;
  const llvm::Value* x_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> without_; // that the others do not come to
};

} // namespace

llvm::Function* first_alone(llvm::Function& form) {
  if (!Others(form).do_nothing())
    return nullptr;
  llvm::ValueToValueMapTy values;
  auto* alone = llvm::CloneFunction(&form, values);
  alone->setName(form.getName() + ".alone");
  alone->setLinkage(llvm::GlobalValue::InternalLinkage);
  const llvm::DominatorTree dominators(*alone);
  const llvm::LoopInfo loops(dominators);
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(*alone))) {
    if (!is_barrier(instruction))
      continue;
    // What the round between two barriers does is not made larger.
    for (auto* loop = loops.getLoopFor(instruction.getParent()); loop != nullptr;
         loop = loop->getParentLoop())
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.disable", 1);
    instruction.eraseFromParent();
  }
  return alone;
}

} // namespace heddle::compiler
