// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/polling_loops.h"

#include "compiler/ir/barrier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {
namespace {

// The function of builtins/pipes.cl that takes packets, or room for them. Its first argument is the
// pipe.
constexpr llvm::StringLiteral kClaimPackets = "__heddle_call_claim";

bool is_private(const llvm::Value& pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
}

// Whether an update leaves memory as it is until another work-item has written there: an exchange
// that takes a lock does, one that adds does not.
bool may_change_nothing(const llvm::AtomicRMWInst& update) {
  switch (update.getOperation()) {
  case llvm::AtomicRMWInst::Add:
  case llvm::AtomicRMWInst::Sub: {
    const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(update.getValOperand());
    return amount != nullptr && amount->isZero();
  }
  case llvm::AtomicRMWInst::FAdd:
  case llvm::AtomicRMWInst::FSub:
    return false;
  default:
    return true;
  }
}

// Whether a function that was not inlined, or one that it calls, has accesses that may poll.
class CalledAccesses {
 public:
  bool may_poll(const llvm::Function& function) {
    if (function.isDeclaration() || function.getName().starts_with("__heddle_"))
      return false;
    const auto [place, is_new] = known_.try_emplace(&function, false);
    if (!is_new)
      return place->second;
    const bool result = llvm::any_of(llvm::instructions(function), [&](const auto& instruction) {
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        return call->getCalledFunction() != nullptr && may_poll(*call->getCalledFunction());
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        return load->isAtomic() || (load->isVolatile() && !is_private(*load->getPointerOperand()));
      return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction);
    });
    known_[&function] = result;
    return result;
  }

 private:
  llvm::DenseMap<const llvm::Function*, bool> known_;
};

class LoopExits {
 public:
  LoopExits(const llvm::Loop& loop, llvm::Function& function,
            llvm::FunctionAnalysisManager& analyses, CalledAccesses& called)
      : loop_(loop), function_(function), analyses_(analyses), called_(called) {}

  bool may_wait() {
    find_polls();
    if (polls_.empty() || is_bounded())
      return false;
    loop_.getLoopLatches(latches_);
    loop_.getExitingBlocks(exiting_);
    if (crosses_barrier() || retries_until_it_succeeds())
      return false;
    for (const auto* block : exiting_)
      add_conditions(*block, *loop_.getHeader());
    while (!pending_.empty())
      if (is_poll_or_unknown(*pending_.pop_back_val()))
        return true;
    return false;
  }

 private:
  void find_polls() {
    const bool has_fence = has([](const llvm::Instruction& instruction) {
      return llvm::isa<llvm::FenceInst>(instruction);
    });
    for (const auto* block : loop_.blocks())
      for (const auto& instruction : *block)
        if (const auto* place = polled_place(instruction, has_fence))
          if (!changes_with_iteration(*place, llvm::isa<llvm::AtomicCmpXchgInst>(instruction)))
            polls_.insert(&instruction);
  }

  // The address that the instruction reads, if by that it may see what another work-item has
  // written in the meantime.
  const llvm::Value* polled_place(const llvm::Instruction& instruction, bool has_fence) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const auto* address = load->getPointerOperand();
      return (load->isAtomic() || load->isVolatile() || has_fence) && !is_private(*address)
                 ? address
                 : nullptr;
    }
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return may_change_nothing(*update) || is_undone(*update) ? update->getPointerOperand()
                                                               : nullptr;
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return is_own(*exchange) && is_retry(*exchange) ? nullptr : exchange->getPointerOperand();
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr)
      return nullptr;
    if (callee->getName() == kClaimPackets)
      return call->getArgOperand(0);
    return called_.may_poll(*callee) ? callee : nullptr;
  }

  // Whether the loop also writes there in another way: a lock that counts who asks for it takes the
  // count back.
  bool is_undone(const llvm::AtomicRMWInst& update) {
    return has([&](const llvm::Instruction& instruction) {
      const auto* address = written_place(instruction);
      return address != nullptr && &instruction != &update &&
             is_same(*address, *update.getPointerOperand());
    });
  }

  static const llvm::Value* written_place(const llvm::Instruction& instruction) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->getPointerOperand();
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return update->getPointerOperand();
    const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
    return exchange != nullptr ? exchange->getPointerOperand() : nullptr;
  }

  bool is_same(const llvm::Value& first, const llvm::Value& second) {
    if (first.stripPointerCasts() == second.stripPointerCasts())
      return true;
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    return first.getType() == second.getType() &&
           evolution.getSCEV(const_cast<llvm::Value*>(&first)) ==
               evolution.getSCEV(const_cast<llvm::Value*>(&second));
  }

  // Not in a loop inside.
  bool is_own(const llvm::AtomicCmpXchgInst& exchange) {
    return analyses_.getResult<llvm::LoopAnalysis>(function_).getLoopFor(exchange.getParent()) ==
           &loop_;
  }

  // Whether the exchange expects just what the same iteration, or the one before, has read there,
  // so that it only fails if another work-item has written in between. One that expects a part of
  // it, as a lock that is one bit of a word does, may fail until another work-item writes.
  bool is_retry(const llvm::AtomicCmpXchgInst& exchange) {
    llvm::SmallPtrSet<const llvm::Value*, 8> seen;
    llvm::SmallVector<const llvm::Value*, 8> pending{exchange.getCompareOperand()};
    while (!pending.empty()) {
      const auto* one = llvm::dyn_cast<llvm::Instruction>(pending.pop_back_val());
      if (one == nullptr || !loop_.contains(one))
        return false;
      if (!seen.insert(one).second)
        continue;
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(one)) {
        add_incoming(*phi, pending);
      } else if (llvm::isa<llvm::BitCastInst, llvm::FreezeInst, llvm::PtrToIntInst,
                           llvm::IntToPtrInst, llvm::ExtractValueInst>(one)) {
        pending.push_back(one->getOperand(0));
      } else {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(one);
        const auto* address = load != nullptr ? load->getPointerOperand() : written_place(*one);
        if (address == nullptr || !is_same(*address, *exchange.getPointerOperand()))
          return false;
      }
    }
    return true;
  }

  // An exchange that expects a constant at one place after another looks for a free one, in a table
  // that has one. Others may reach the same places again until another work-item has written.
  bool changes_with_iteration(const llvm::Value& address, bool is_exchange) {
    return !is_one_of_few(address) &&
           depends_on(address, [&](const llvm::Instruction& instruction) {
             const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
             return phi != nullptr && phi->getParent() == loop_.getHeader() && !may_stay(*phi) &&
                    (is_exchange || leads_on(*phi, address));
           });
  }

  // Whether a value of the header counts on and leads to further addresses, or is read from memory,
  // as that of a list is. Others, such as those modulo a number, may come again.
  bool leads_on(const llvm::PHINode& value, const llvm::Value& address) {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    auto& counter = const_cast<llvm::PHINode&>(value);
    if (evolution.isSCEVable(value.getType()) &&
        llvm::isa<llvm::SCEVAddRecExpr>(evolution.getSCEV(&counter)))
      return !comes_round(address, evolution.getTypeSizeInBits(value.getType()));
    llvm::SmallVector<const llvm::Value*, 4> next;
    add_incoming(value, next);
    return llvm::any_of(next, [&](const auto* one) {
      return depends_on(*one, [&](const llvm::Instruction& instruction) {
        return &instruction != &value && instruction.mayReadFromMemory();
      });
    });
  }

  // Whether the address has only a part of a counter in it, such as its lowest bits.
  bool comes_round(const llvm::Value& address, uint64_t counter_bits) {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    return llvm::SCEVExprContains(
        evolution.getSCEV(const_cast<llvm::Value*>(&address)), [&](const llvm::SCEV* part) {
          if (llvm::isa<llvm::SCEVTruncateExpr, llvm::SCEVUDivExpr>(part))
            return true;
          if (llvm::isa<llvm::SCEVAddRecExpr>(part))
            return evolution.getTypeSizeInBits(part->getType()) < counter_bits;
          const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
          const auto* instruction =
              unknown != nullptr ? llvm::dyn_cast<llvm::Instruction>(unknown->getValue()) : nullptr;
          return instruction != nullptr && loop_.contains(instruction) &&
                 !llvm::isa<llvm::PHINode>(instruction) && !instruction->mayReadFromMemory();
        });
  }

  // Whether the loop only chooses among a few addresses, such as those of two flags.
  bool is_one_of_few(const llvm::Value& address) const {
    const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&address);
    if (element == nullptr || !loop_.contains(element))
      return is_chosen(address);
    return llvm::all_of(element->operands(), [&](const auto& one) { return is_chosen(*one); });
  }

  // Whether the loop takes the value from outside, one or another in each iteration.
  bool is_chosen(const llvm::Value& value) const {
    llvm::SmallPtrSet<const llvm::Value*, 8> seen;
    llvm::SmallVector<const llvm::Value*, 8> pending{&value};
    while (!pending.empty()) {
      const auto* one = llvm::dyn_cast<llvm::Instruction>(pending.pop_back_val());
      if (one == nullptr || !loop_.contains(one) || !seen.insert(one).second)
        continue;
      if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(one))
        pending.append({select->getTrueValue(), select->getFalseValue()});
      else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(one))
        pending.append(phi->op_begin(), phi->op_end());
      else if (llvm::isa<llvm::CastInst>(one))
        pending.push_back(one->getOperand(0));
      else
        return false;
    }
    return true;
  }

  // Whether a value of the header may be the same in the next iteration: the index of a flag that
  // is waited for before the next one, in one loop.
  bool may_stay(const llvm::PHINode& value) const {
    llvm::SmallPtrSet<const llvm::Value*, 8> seen;
    llvm::SmallVector<const llvm::Value*, 8> pending;
    add_incoming(value, pending);
    while (!pending.empty()) {
      const auto* one = pending.pop_back_val();
      if (one == &value)
        return true;
      if (!seen.insert(one).second)
        continue;
      if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(one))
        pending.append({select->getTrueValue(), select->getFalseValue()});
      else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(one);
               phi != nullptr && phi->getParent() != loop_.getHeader() && loop_.contains(phi))
        add_incoming(*phi, pending);
    }
    return false;
  }

  // Adds the values that come from within the loop.
  void add_incoming(const llvm::PHINode& phi,
                    llvm::SmallVectorImpl<const llvm::Value*>& values) const {
    for (const auto& [block, value] : llvm::zip(phi.blocks(), phi.incoming_values()))
      if (loop_.contains(block))
        values.push_back(&value_on_edge(*value, block, phi.getParent()));
  }

  // What a value is on the way from a block to its successor: not what it is selected to be where
  // the loop ends instead.
  static const llvm::Value& value_on_edge(const llvm::Value& value, const llvm::BasicBlock* from,
                                          const llvm::BasicBlock* to) {
    const auto* select = llvm::dyn_cast<llvm::SelectInst>(&value);
    if (select == nullptr)
      return value;
    while (from->getUniqueSuccessor() != nullptr && from->getUniquePredecessor() != nullptr) {
      to = from;
      from = from->getUniquePredecessor();
    }
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
    if (branch == nullptr || branch->isUnconditional() ||
        branch->getCondition() != select->getCondition())
      return value;
    return branch->getSuccessor(0) == to ? *select->getTrueValue() : *select->getFalseValue();
  }

  bool is_bounded() {
    auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    return evolution.hasLoopInvariantBackedgeTakenCount(&loop_) ||
           !llvm::isa<llvm::SCEVCouldNotCompute>(
               evolution.getSymbolicMaxBackedgeTakenCount(&loop_));
  }

  // Whether the work-items of the group wait for each other in each iteration anyway.
  bool crosses_barrier() {
    return has([&](const llvm::Instruction& instruction) {
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
    return has([&](const llvm::Instruction& instruction) {
      const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
      return exchange != nullptr && is_own(*exchange) && is_retry(*exchange) &&
             precedes_latches(*instruction.getParent()) &&
             llvm::any_of(exiting_, [&](const auto* exiting) {
               const auto* condition = condition_of(*exiting);
               return condition != nullptr && is_success(*condition, *exchange) &&
                      precedes_latches(*exiting);
             });
    });
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

  bool has(llvm::function_ref<bool(const llvm::Instruction&)> is_searched) const {
    return llvm::any_of(loop_.blocks(),
                        [&](const auto* block) { return llvm::any_of(*block, is_searched); });
  }

  // Whether the loop computes the value from an instruction of it.
  bool depends_on(const llvm::Value& value,
                  llvm::function_ref<bool(const llvm::Instruction&)> is_searched) const {
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    llvm::SmallVector<const llvm::Value*, 16> pending{&value};
    while (!pending.empty()) {
      const auto* one = llvm::dyn_cast<llvm::Instruction>(pending.pop_back_val());
      if (one == nullptr || !loop_.contains(one) || !seen.insert(one).second)
        continue;
      if (is_searched(*one))
        return true;
      for (const auto& operand : one->operands())
        pending.push_back(operand.get());
    }
    return false;
  }

  const llvm::Loop& loop_;
  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  CalledAccesses& called_;
  llvm::SmallVector<llvm::BasicBlock*, 4> latches_;
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting_;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> polls_;
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
