// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/polling_loops.h"

#include "compiler/analysis/polled_places.h"
#include "compiler/analysis/retry_loops.h"
#include "compiler/ir/barrier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {
namespace {

class LoopExits {
 public:
  LoopExits(const llvm::Loop& loop, llvm::Function& function,
            llvm::FunctionAnalysisManager& analyses, CalledAccesses& called)
      : loop_(loop), function_(function), analyses_(analyses), values_(loop),
        places_(loop, values_, function, analyses, called) {}

  bool may_wait() {
    polls_ = places_.find();
    if (polls_.empty() || is_bounded())
      return false;
    loop_.getLoopLatches(latches_);
    loop_.getExitingBlocks(exiting_);
    if (crosses_barrier() || retries_until_it_succeeds() || retries_until_it_reads_its_own_value())
      return false;
    for (const auto* block : exiting_)
      add_conditions(*block, *loop_.getHeader());
    while (!pending_.empty())
      if (is_poll_or_unknown(*pending_.pop_back_val()))
        return true;
    return false;
  }

 private:
  bool is_bounded() {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    return evolution.hasLoopInvariantBackedgeTakenCount(&loop_) ||
           !llvm::isa<llvm::SCEVCouldNotCompute>(
               evolution.getSymbolicMaxBackedgeTakenCount(&loop_));
  }

  // Whether the work-items of the group wait for each other in each iteration anyway.
  bool crosses_barrier() {
    return values_.has([&](const llvm::Instruction& instruction) {
      return is_barrier(instruction) && precedes_latches(*instruction.getParent());
    });
  }

  bool precedes_latches(const llvm::BasicBlock& block) {
    const auto& dominators = analyses_.getResult<llvm::DominatorTreeAnalysis>(function_);
    return llvm::all_of(latches_,
                        [&](const auto* latch) { return dominators.dominates(&block, latch); });
  }

  // Whether each iteration ends in a compare-and-exchange that fails only if another work-item's
  // has succeeded, and no iteration follows one that succeeds.
  bool retries_until_it_succeeds() {
    return values_.has([&](const llvm::Instruction& instruction) {
      const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
      return exchange != nullptr && places_.is_retry(*exchange) &&
             precedes_latches(*instruction.getParent()) &&
             llvm::any_of(exiting_, [&](const auto* exiting) {
               const auto* condition = condition_of(*exiting);
               return condition != nullptr && is_success(*condition, *exchange) &&
                      precedes_latches(*exiting);
             });
    });
  }

  bool retries_until_it_reads_its_own_value() {
    return reads_back_what_it_stores(
        loop_, analyses_.getResult<llvm::DominatorTreeAnalysis>(function_),
        [&](const auto& first, const auto& second) { return places_.is_same(first, second); });
  }

  // Whether the condition is that the exchange has succeeded, or that it has not.
  static bool is_success(const llvm::Value& condition, const llvm::AtomicCmpXchgInst& exchange) {
    using namespace llvm::PatternMatch;
    llvm::Value* inverted = nullptr;
    if (match(&condition, m_Not(m_Value(inverted))))
      return is_success(*inverted, exchange);
    const auto before = m_ExtractValue<0>(m_Specific(&exchange));
    return match(&condition, m_ExtractValue<1>(m_Specific(&exchange))) ||
           match(&condition, m_c_ICmp(before, m_Specific(exchange.getCompareOperand())));
  }

  static const llvm::Value* condition_of(const llvm::BasicBlock& block) {
    const auto* end = block.getTerminator();
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end))
      return branch->isConditional() ? branch->getCondition() : nullptr;
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end))
      return choice->getCondition();
    return nullptr;
  }

  // Adds what decides which way the block's end goes, and on whether it is reached from `top`,
  // which dominates it.
  void add_conditions(const llvm::BasicBlock& block, const llvm::BasicBlock& top) {
    const auto& dominators = analyses_.getResult<llvm::DominatorTreeAnalysis>(function_);
    const auto& post_dominators = analyses_.getResult<llvm::PostDominatorTreeAnalysis>(function_);
    for (const auto* at = &block; loop_.contains(at);) {
      if (at == &block || !post_dominators.dominates(&block, at))
        if (const auto* condition = condition_of(*at))
          pending_.push_back(condition);
      if (at == &top)
        break;
      const auto* node = dominators.getNode(at);
      if (node == nullptr || node->getIDom() == nullptr)
        break;
      at = node->getIDom()->getBlock();
    }
  }

  bool is_poll_or_unknown(const llvm::Value& value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || !loop_.contains(instruction) || !seen_.insert(instruction).second)
      return false;
    if (polls_.contains(instruction))
      return true;
    // Whether an update or an exchange succeeds is not what the loop waits for.
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
      return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
        load != nullptr && is_private(*load->getPointerOperand()))
      return true;
    for (const auto& operand : instruction->operands())
      pending_.push_back(operand.get());
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      for (const auto* block : phi->blocks())
        if (loop_.contains(block))
          add_conditions(*block, above(*phi->getParent()));
    return false;
  }

  // The block at which ways to `block` part.
  const llvm::BasicBlock& above(const llvm::BasicBlock& block) {
    const auto* node = analyses_.getResult<llvm::DominatorTreeAnalysis>(function_).getNode(&block);
    const auto* parent = node != nullptr ? node->getIDom() : nullptr;
    return parent != nullptr && loop_.contains(parent->getBlock()) ? *parent->getBlock()
                                                                   : *loop_.getHeader();
  }

  const llvm::Loop& loop_;
  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  const LoopValues values_;
  PolledPlaces places_;
  llvm::SmallVector<llvm::BasicBlock*, 4> latches_;
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting_;
  PolledPlaces::Instructions polls_;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen_;
  llvm::SmallVector<const llvm::Value*, 16> pending_;
};

} // namespace

llvm::SmallVector<llvm::Loop*, 4> find_polling_loops(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::Loop*, 4> found;
  CalledAccesses called;
  for (auto* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
    if (LoopExits(*loop, function, analyses, called).may_wait())
      found.push_back(loop);
  return found;
}

} // namespace heddle::compiler
