// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/race_calls.h"

#include "compiler/interface/race_access.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/checked_calls.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/ModRef.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

using abi::AccessKind;
using abi::CheckedCall;

llvm::Value* kind_bits(llvm::IRBuilder<>& builder, AccessKind kind) {
  return builder.getInt64(static_cast<std::uint64_t>(kind));
}

// The kind and the order of an atomic operation by its AccessOrder.
llvm::Value* atomic_bits(llvm::IRBuilder<>& builder, llvm::Value* order) {
  auto* writes =
      builder.CreateICmpNE(builder.CreateAnd(order, abi::kAccessWrites), builder.getInt64(0));
  auto* kind = builder.CreateSelect(writes, kind_bits(builder, AccessKind::atomic_write),
                                    kind_bits(builder, AccessKind::atomic_read));
  return builder.CreateOr(kind, builder.CreateShl(order, abi::kRaceOrderShift));
}

} // namespace

bool RaceCalls::is_access(const llvm::CallInst& check) {
  const auto call = checked_call(check);
  if (call != CheckedCall::ordered_load && call != CheckedCall::ordered_store &&
      call != CheckedCall::ordered_atomic)
    return false;
  const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(kCheckedBytes));
  return bytes != nullptr && bytes->getZExtValue() <= abi::kMaxRaceBytes;
}

// Whether it is a meeting that has nothing to do with async copies.
bool RaceCalls::is_barrier(const llvm::CallInst& check) {
  if (checked_call(check) != CheckedCall::meeting)
    return false;
  const auto* order = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(kCheckedOrder));
  const auto* copy = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(kCheckedCopy));
  return copy != nullptr && copy->isMinusOne() &&
         (order == nullptr || (order->getZExtValue() & abi::kWaitsForCopies) == 0);
}

bool RaceCalls::lowers(const llvm::CallInst& check) const {
  return is_access(check) || (!finds_divergence_ && is_barrier(check));
}

static llvm::Constant* text_of(const llvm::CallInst& check, CheckCalls& checks) {
  auto* place = llvm::cast<llvm::Constant>(check.getArgOperand(kCheckedPlace));
  if (!place->isNullValue())
    return place;
  return checks.place(check);
}

void RaceCalls::add_site(const llvm::CallInst& check) {
  numbers_.insert({text_of(check, checks_), static_cast<std::uint32_t>(numbers_.size())});
}

llvm::Constant* RaceCalls::sites() {
  if (sites_ != nullptr)
    return sites_;
  auto& module = checks_.module();
  llvm::IRBuilder<> builder(module.getContext());
  llvm::SmallVector<llvm::Constant*, 64> words{builder.getInt64(numbers_.size())};
  for (const auto& [text, number] : numbers_)
    words.push_back(text);
  auto* table = llvm::ConstantStruct::getAnon(words);
  auto* variable = new llvm::GlobalVariable(
      module, table->getType(), true, llvm::GlobalValue::PrivateLinkage, table, "heddle.race_sites",
      nullptr, llvm::GlobalValue::NotThreadLocal, /*AddressSpace=*/0);
  variable->setAlignment(llvm::Align(8));
  sites_ = variable;
  return sites_;
}

static void emit_call(llvm::IRBuilder<>& builder, llvm::Value* races, std::uint64_t offset,
                      llvm::ArrayRef<llvm::Value*> arguments) {
  AbiBuilder access(builder);
  auto* function = access.load_invariant(races, offset, access.pointer());
  llvm::SmallVector<llvm::Type*, 6> types;
  for (const auto* argument : arguments)
    types.push_back(argument->getType());
  auto* call = builder.CreateCall(llvm::FunctionType::get(builder.getVoidTy(), types, false),
                                  function, arguments);
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::WillReturn);
  call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
}

void RaceCalls::lower(llvm::CallInst& check, llvm::Value* item) {
  llvm::IRBuilder<> builder(&check);
  AbiBuilder access(builder);
  auto* worker = access.worker_of(work_item_params(*check.getFunction()).group);
  auto* races =
      access.load_invariant(worker, offsetof(abi::CheckedWorker, races), access.pointer(), "races");
  if (is_access(check))
    lower_access(check, races, item);
  else
    emit_call(builder, races, offsetof(abi::RaceThread, meet),
              {races, check.getArgOperand(kCheckedOrder), item});
  check.eraseFromParent();
}

void RaceCalls::lower_access(llvm::CallInst& check, llvm::Value* races, llvm::Value* item) {
  llvm::IRBuilder<> builder(&check);
  const auto call = checked_call(check);
  llvm::Value* value = builder.getInt64(0);
  llvm::Value* what = kind_bits(builder, AccessKind::read);
  if (call == CheckedCall::ordered_atomic) {
    what = atomic_bits(builder, check.getArgOperand(kCheckedBytes + 1));
  } else if (call == CheckedCall::ordered_store) {
    what = kind_bits(builder, AccessKind::write);
    if (!llvm::cast<llvm::ConstantInt>(check.getArgOperand(kCheckedBytes + 1))->isZero()) {
      what = builder.CreateOr(what, abi::kRaceValueIsKnown);
      value = check.getArgOperand(kCheckedBytes + 2);
    }
  }
  const auto site = std::min(numbers_.lookup(text_of(check, checks_)), abi::kMaxRaceSite);
  const auto bytes =
      llvm::cast<llvm::ConstantInt>(check.getArgOperand(kCheckedBytes))->getZExtValue();
  what = builder.CreateOr(what, std::uint64_t{site} << abi::kRaceSiteShift |
                                    bytes << abi::kRaceBytesShift);
  auto* address =
      builder.CreatePtrToInt(check.getArgOperand(kCheckedPointer), builder.getInt64Ty());
  emit_call(builder, races, offsetof(abi::RaceThread, access),
            {races, address, what, value, item, sites()});
}

} // namespace heddle::compiler
