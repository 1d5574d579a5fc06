// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/polled_places.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

// The function of builtins/pipes.cl that takes packets, or room for them. Its first argument is the
// pipe.
constexpr llvm::StringLiteral kClaimPackets = "__heddle_call_claim";

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

// Where the instruction writes; null: nowhere.
const llvm::Value* written_place(const llvm::Instruction& instruction) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerOperand();
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  return exchange != nullptr ? exchange->getPointerOperand() : nullptr;
}

} // namespace

bool is_private(const llvm::Value& pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
}

bool CalledAccesses::may_poll(const llvm::Function& function) {
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

PolledPlaces::Instructions PolledPlaces::find() {
  const bool has_fence = values_.has(
      [](const llvm::Instruction& instruction) { return llvm::isa<llvm::FenceInst>(instruction); });
  Instructions found;
  for (const auto* block : loop_.blocks())
    for (const auto& instruction : *block)
      if (const auto* place = polled_place(instruction, has_fence))
        if (!changes_with_iteration(*place, llvm::isa<llvm::AtomicCmpXchgInst>(instruction)))
          found.insert(&instruction);
  return found;
}

// The address that the instruction reads, if by that it may see what another work-item has
// written in the meantime.
const llvm::Value* PolledPlaces::polled_place(const llvm::Instruction& instruction,
                                              bool has_fence) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const auto* address = load->getPointerOperand();
    return (load->isAtomic() || load->isVolatile() || has_fence) && !is_private(*address) ? address
                                                                                          : nullptr;
  }
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return may_change_nothing(*update) || is_undone(*update) ? update->getPointerOperand()
                                                             : nullptr;
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return is_retry(*exchange) ? nullptr : exchange->getPointerOperand();
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
bool PolledPlaces::is_undone(const llvm::AtomicRMWInst& update) {
  return values_.has([&](const llvm::Instruction& instruction) {
    const auto* address = written_place(instruction);
    return address != nullptr && &instruction != &update &&
           is_same(*address, *update.getPointerOperand());
  });
}

bool PolledPlaces::is_same(const llvm::Value& first, const llvm::Value& second) {
  if (first.stripPointerCasts() == second.stripPointerCasts())
    return true;
  auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
  return first.getType() == second.getType() &&
         evolution.getSCEV(const_cast<llvm::Value*>(&first)) ==
             evolution.getSCEV(const_cast<llvm::Value*>(&second));
}

// One that expects a part of it, as a lock that is one bit of a word does, may fail until another
// work-item writes.
bool PolledPlaces::is_retry(const llvm::AtomicCmpXchgInst& exchange) {
  const auto& loops = analyses_.getResult<llvm::LoopAnalysis>(function_);
  if (loops.getLoopFor(exchange.getParent()) != &loop_)
    return false;
  llvm::SmallPtrSet<const llvm::Value*, 8> seen;
  llvm::SmallVector<const llvm::Value*, 8> pending{exchange.getCompareOperand()};
  while (!pending.empty()) {
    const auto* one = llvm::dyn_cast<llvm::Instruction>(pending.pop_back_val());
    if (one == nullptr || !loop_.contains(one))
      return false;
    if (!seen.insert(one).second)
      continue;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(one)) {
      values_.add_incoming(*phi, pending);
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
bool PolledPlaces::changes_with_iteration(const llvm::Value& address, bool is_exchange) {
  return !values_.is_one_of_few(address) &&
         values_.depends_on(address, [&](const llvm::Instruction& instruction) {
           const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
           return phi != nullptr && phi->getParent() == loop_.getHeader() &&
                  !values_.may_stay(*phi) && (is_exchange || leads_on(*phi, address));
         });
}

// Whether a value of the header counts on and leads to further addresses, or is read from memory,
// as that of a list is. Others, such as those modulo a number, may come again.
bool PolledPlaces::leads_on(const llvm::PHINode& value, const llvm::Value& address) {
  auto& evolution = analyses_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
  auto& counter = const_cast<llvm::PHINode&>(value);
  if (evolution.isSCEVable(value.getType()) &&
      llvm::isa<llvm::SCEVAddRecExpr>(evolution.getSCEV(&counter)))
    return !comes_round(address, evolution.getTypeSizeInBits(value.getType()));
  llvm::SmallVector<const llvm::Value*, 4> next;
  values_.add_incoming(value, next);
  return llvm::any_of(next, [&](const auto* one) {
    return values_.depends_on(*one, [&](const llvm::Instruction& instruction) {
      return &instruction != &value && instruction.mayReadFromMemory();
    });
  });
}

// Whether the address has only a part of a counter in it, such as its lowest bits.
bool PolledPlaces::comes_round(const llvm::Value& address, std::uint64_t counter_bits) {
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

} // namespace heddle::compiler
