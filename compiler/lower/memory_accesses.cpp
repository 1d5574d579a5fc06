// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/memory_accesses.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

using abi::CheckedCall;

llvm::SmallVector<Access, 2> accesses_of(llvm::Instruction& instruction) {
  auto* wide = llvm::Type::getInt64Ty(instruction.getContext());
  const auto bytes_of = [&](llvm::Type* type) {
    return llvm::ConstantInt::get(wide, instruction.getDataLayout().getTypeStoreSize(type));
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {{CheckedCall::load, load->getPointerOperand(), bytes_of(load->getType()),
             load->getAlign()}};
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {{CheckedCall::store, store->getPointerOperand(),
             bytes_of(store->getValueOperand()->getType()), store->getAlign()}};
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {{CheckedCall::atomic, update->getPointerOperand(), bytes_of(update->getType()),
             update->getAlign()}};
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {{CheckedCall::atomic, exchange->getPointerOperand(),
             bytes_of(exchange->getNewValOperand()->getType()), exchange->getAlign()}};
  if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&instruction))
    return {{CheckedCall::load, copy->getRawSource(), copy->getLength(),
             copy->getSourceAlign().valueOrOne()},
            {CheckedCall::store, copy->getRawDest(), copy->getLength(),
             copy->getDestAlign().valueOrOne()}};
  if (auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&instruction))
    return {{CheckedCall::store, fill->getRawDest(), fill->getLength(),
             fill->getDestAlign().valueOrOne()}};
  return {};
}

} // namespace heddle::compiler
