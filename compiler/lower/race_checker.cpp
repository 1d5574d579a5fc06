// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/race_checker.h"

#include "compiler/ir/address_space.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

using abi::CheckedCall;

bool is_shared(const llvm::Value& pointer) {
  const auto space = pointer.getType()->getPointerAddressSpace();
  return (space == kGlobal || space == kLocal || space == kGeneric) &&
         !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
}

std::uint64_t order_bits(llvm::AtomicOrdering ordering) {
  return (llvm::isAcquireOrStronger(ordering) ? std::uint64_t{abi::kAccessAcquires} : 0) |
         (llvm::isReleaseOrStronger(ordering) ? std::uint64_t{abi::kAccessReleases} : 0);
}

// The stored bits as a word; null if there are more, or some of padding.
llvm::Value* stored_word(llvm::IRBuilder<>& builder, llvm::Value* value,
                         const llvm::DataLayout& layout) {
  auto* type = value->getType();
  const auto bits = layout.getTypeSizeInBits(type);
  if (bits.isScalable() || bits > 64 || bits != layout.getTypeStoreSizeInBits(type) ||
      type->isAggregateType() || llvm::isa<llvm::TargetExtType>(type))
    return nullptr;
  if (type->isPtrOrPtrVectorTy())
    return type->isPointerTy() ? builder.CreatePtrToInt(value, builder.getInt64Ty()) : nullptr;
  auto* integer = builder.getIntNTy(static_cast<unsigned>(bits.getFixedValue()));
  return builder.CreateZExtOrTrunc(builder.CreateBitCast(value, integer), builder.getInt64Ty());
}

} // namespace

void RaceChecker::insert_access(CheckedCall kind, llvm::Value* pointer, llvm::Value* bytes,
                                llvm::ArrayRef<llvm::Value*> more, llvm::Instruction& before) {
  if (!is_shared(*pointer))
    return;
  llvm::IRBuilder<> builder(&before);
  llvm::SmallVector<llvm::Value*, 4> operands{
      pointer, builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty())};
  operands.append(more.begin(), more.end());
  checks_.insert(kind, operands, before, place_);
}

void RaceChecker::insert_atomic(llvm::Instruction& instruction, llvm::Value* pointer,
                                llvm::Type* type, std::uint64_t order) {
  llvm::IRBuilder<> builder(&instruction);
  const auto bytes = checks_.module().getDataLayout().getTypeStoreSize(type).getFixedValue();
  insert_access(CheckedCall::ordered_atomic, pointer, builder.getInt64(bytes),
                {builder.getInt64(order)}, instruction);
}

// Long vectors word by word: of each the value is known.
void RaceChecker::insert_store(llvm::StoreInst& store) {
  constexpr std::uint64_t kWordBytes = 8;
  const auto& layout = checks_.module().getDataLayout();
  llvm::IRBuilder<> builder(&store);
  auto* value = store.getValueOperand();
  auto* type = value->getType();
  auto* pointer = store.getPointerOperand();
  const auto bytes = layout.getTypeStoreSize(type).getFixedValue();
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
      vector != nullptr && !type->isPtrOrPtrVectorTy() && bytes > kWordBytes &&
      vector->getPrimitiveSizeInBits().getFixedValue() == bytes * 8 && bytes % kWordBytes == 0) {
    const auto count = static_cast<unsigned>(bytes / kWordBytes);
    auto* words =
        builder.CreateBitCast(value, llvm::FixedVectorType::get(builder.getInt64Ty(), count));
    for (unsigned i = 0; i < count; ++i)
      insert_access(
          CheckedCall::ordered_store,
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, i * kWordBytes),
          builder.getInt64(kWordBytes),
          {builder.getInt64(1), builder.CreateExtractElement(words, std::uint64_t{i})}, store);
    return;
  }
  auto* word = stored_word(builder, value, layout);
  insert_access(CheckedCall::ordered_store, pointer, builder.getInt64(bytes),
                {builder.getInt64(word != nullptr), word != nullptr ? word : builder.getInt64(0)},
                store);
}

void RaceChecker::insert(llvm::Instruction& instruction) {
  const auto& layout = checks_.module().getDataLayout();
  llvm::IRBuilder<> builder(&instruction);
  const auto bytes_of = [&](llvm::Type* type) {
    return builder.getInt64(layout.getTypeStoreSize(type).getFixedValue());
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (load->isAtomic())
      insert_atomic(*load, load->getPointerOperand(), load->getType(),
                    abi::kAccessReads | order_bits(load->getOrdering()));
    else
      insert_access(CheckedCall::ordered_load, load->getPointerOperand(), bytes_of(load->getType()),
                    {}, *load);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    auto* value = store->getValueOperand();
    if (store->isAtomic()) {
      insert_atomic(*store, store->getPointerOperand(), value->getType(),
                    abi::kAccessWrites | order_bits(store->getOrdering()));
    } else if (is_shared(*store->getPointerOperand())) {
      insert_store(*store);
    }
  } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    insert_atomic(*update, update->getPointerOperand(), update->getType(),
                  abi::kAccessReads | abi::kAccessWrites | order_bits(update->getOrdering()));
  } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    auto* next = exchange->getNextNode();
    llvm::IRBuilder<> behind(next);
    auto* order = behind.CreateSelect(
        behind.CreateExtractValue(exchange, 1),
        behind.getInt64(abi::kAccessReads | abi::kAccessWrites |
                        order_bits(exchange->getSuccessOrdering())),
        behind.getInt64(abi::kAccessReads | order_bits(exchange->getFailureOrdering())));
    insert_access(CheckedCall::ordered_atomic, exchange->getPointerOperand(),
                  bytes_of(exchange->getNewValOperand()->getType()), {order}, *next);
  } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    checks_.insert(CheckedCall::fence, {builder.getInt64(order_bits(fence->getOrdering()))}, *fence,
                   place_);
  } else if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&instruction)) {
    insert_access(CheckedCall::ordered_load, copy->getRawSource(), copy->getLength(), {}, *copy);
    insert_access(CheckedCall::ordered_store, copy->getRawDest(), copy->getLength(),
                  {builder.getInt64(0), builder.getInt64(0)}, *copy);
  } else if (auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&instruction)) {
    insert_access(CheckedCall::ordered_store, fill->getRawDest(), fill->getLength(),
                  {builder.getInt64(0), builder.getInt64(0)}, *fill);
  }
}

} // namespace heddle::compiler
