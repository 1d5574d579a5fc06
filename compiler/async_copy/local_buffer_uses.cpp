// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/local_buffer_uses.h"

#include "compiler/async_copy/expand_copies.h"
#include "compiler/ir/address_space.h"
#include "compiler/lower/lower_local_variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kMaxSlots = 8;

class UseCollector {
 public:
  explicit UseCollector(LocalBufferUses& buffer)
      : buffer_(buffer), layout_(buffer.variable->getDataLayout()) {}

  bool collect() {
    const auto bytes = local_variable_bytes(*buffer_.variable);
    // The slots of an array of arrays are its elements.
    for (auto* user : buffer_.variable->users())
      if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
          gep != nullptr && gep->getNumIndices() == 1 && !gep->hasAllConstantIndices() &&
          gep->getSourceElementType()->isArrayTy())
        buffer_.slot_bytes = layout_.getTypeAllocSize(gep->getSourceElementType());
    if (buffer_.slot_bytes == 0)
      buffer_.slot_bytes = bytes;
    if (bytes % buffer_.slot_bytes != 0 || bytes / buffer_.slot_bytes > kMaxSlots)
      return false;
    buffer_.slot_count = bytes / buffer_.slot_bytes;
    return follow(*buffer_.variable, buffer_.variable) && !buffer_.copies.empty() &&
           !buffer_.reads.empty();
  }

 private:
  // Whether the result is the address of a slot.
  bool is_slot(const llvm::GetElementPtrInst& gep) const {
    if (gep.getPointerOperand() != buffer_.variable || gep.getNumIndices() != 1)
      return false;
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(gep.getOperand(1)))
      return index->getZExtValue() * layout_.getTypeAllocSize(gep.getSourceElementType()) %
                 buffer_.slot_bytes ==
             0;
    return layout_.getTypeAllocSize(gep.getSourceElementType()) == buffer_.slot_bytes;
  }

  // Adds the uses of an address that is based on `slot`.
  bool follow(llvm::Value& pointer, llvm::Value* slot) {
    return llvm::all_of(pointer.users(), [&](llvm::User* user) {
      if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user))
        return !gep->getType()->isVectorTy() && follow(*gep, is_slot(*gep) ? gep : slot);
      if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user))
        return follow(*cast, slot);
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        buffer_.reads.push_back({load, slot});
        return load->isSimple();
      }
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      return call != nullptr && add_copy(*call, pointer, slot);
    });
  }

  // The copy must begin at the slot and have a constant size.
  bool add_copy(llvm::CallInst& call, const llvm::Value& pointer, llvm::Value* slot) {
    if (callee_name(call) != kCopyBytes || call.getArgOperand(0) != &pointer ||
        call.getArgOperand(0)->stripPointerCasts() != slot)
      return false;
    auto* source =
        llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(call.getArgOperand(1), 0));
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
    if (source == nullptr || bytes == nullptr ||
        source->getType()->getPointerAddressSpace() != kGlobal ||
        (buffer_.source != nullptr && buffer_.source != source) ||
        bytes->getValue().ugt(buffer_.slot_bytes))
      return false;
    buffer_.source = source;
    buffer_.copies.push_back({&call, slot, bytes->getZExtValue()});
    return true;
  }

  LocalBufferUses& buffer_;
  const llvm::DataLayout& layout_;
};

} // namespace

llvm::StringRef callee_name(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr ? llvm::StringRef() : callee->getName();
}

std::optional<LocalBufferUses> LocalBufferUses::find(llvm::CallInst& variable) {
  LocalBufferUses buffer;
  buffer.variable = &variable;
  if (!UseCollector(buffer).collect())
    return std::nullopt;
  return buffer;
}

llvm::Value* LocalBufferUses::slot_index(llvm::IRBuilder<>& builder,
                                         const llvm::Value& slot) const {
  const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&slot);
  if (gep == nullptr)
    return builder.getInt64(0);
  auto* index = gep->getOperand(1);
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index);
  if (constant == nullptr)
    return index;
  const auto element = gep->getDataLayout().getTypeAllocSize(gep->getSourceElementType());
  return builder.getInt64(constant->getZExtValue() * element / slot_bytes);
}

} // namespace heddle::compiler
