// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/race_calls.h"

#include "compiler/interface/race_access.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/ModRef.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

using abi::AccessKind;
using abi::CheckedCall;

// The operands of a check before those of the call.
constexpr unsigned kCall = 0, kPlace = 1, kPointer = 2, kBytes = 3;

CheckedCall call_of(const llvm::CallInst& check) {
  return static_cast<CheckedCall>(
      llvm::cast<llvm::ConstantInt>(check.getArgOperand(kCall))->getZExtValue());
}

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
  const auto call = call_of(check);
  if (call != CheckedCall::ordered_load && call != CheckedCall::ordered_store &&
      call != CheckedCall::ordered_atomic)
    return false;
  const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(kBytes));
  return bytes != nullptr && bytes->getZExtValue() <= abi::kMostRaceBytes;
}

static llvm::Constant* text_of(const llvm::CallInst& check, CheckCalls& checks) {
  auto* place = llvm::cast<llvm::Constant>(check.getArgOperand(kPlace));
  if (!place->isNullValue())
    return place;
  const auto found = place_of(check);
  return checks.text(found.file + ":" + std::to_string(found.line));
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

void RaceCalls::lower(llvm::CallInst& check, llvm::Value* item) {
  llvm::IRBuilder<> builder(&check);
  AbiBuilder access(builder);
  const auto call = call_of(check);
  llvm::Value* value = builder.getInt64(0);
  llvm::Value* what = kind_bits(builder, AccessKind::read);
  if (call == CheckedCall::ordered_atomic) {
    what = atomic_bits(builder, check.getArgOperand(kBytes + 1));
  } else if (call == CheckedCall::ordered_store) {
    what = kind_bits(builder, AccessKind::write);
    if (!llvm::cast<llvm::ConstantInt>(check.getArgOperand(kBytes + 1))->isZero()) {
      what = builder.CreateOr(what, abi::kRaceValueIsKnown);
      value = check.getArgOperand(kBytes + 2);
    }
  }
  const auto site = std::min(numbers_.lookup(text_of(check, checks_)), abi::kMostRaceSite);
  const auto bytes = llvm::cast<llvm::ConstantInt>(check.getArgOperand(kBytes))->getZExtValue();
  what = builder.CreateOr(what, std::uint64_t{site} << abi::kRaceSiteShift |
                                    bytes << abi::kRaceBytesShift);
  auto* worker = access.worker_of(work_item_params(*check.getFunction()).group);
  auto* races =
      access.load_invariant(worker, offsetof(abi::CheckedWorker, races), access.pointer(), "races");
  auto* function =
      access.load_invariant(races, offsetof(abi::RaceThread, access), access.pointer());
  auto* word = builder.getInt64Ty();
  auto* type = llvm::FunctionType::get(
      builder.getVoidTy(), {access.pointer(), word, word, word, word, access.pointer()}, false);
  auto* made =
      builder.CreateCall(type, function,
                         {races, builder.CreatePtrToInt(check.getArgOperand(kPointer), word), what,
                          value, item, sites()});
  made->setDoesNotThrow();
  made->addFnAttr(llvm::Attribute::WillReturn);
  made->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  check.eraseFromParent();
}

} // namespace heddle::compiler
