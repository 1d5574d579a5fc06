// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/x86/scalarize_masked_stores.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace heddle::compiler {
namespace {

// The only lane of a constant mask; nothing if there are several.
std::optional<unsigned> only_lane(const llvm::Value& mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&mask);
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(mask.getType());
  if (constant == nullptr || type == nullptr)
    return std::nullopt;
  std::optional<unsigned> only;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    const auto* element = constant->getAggregateElement(lane);
    if (element == nullptr || (!element->isNullValue() && (!element->isOneValue() || only)))
      return std::nullopt;
    if (element->isOneValue())
      only = lane;
  }
  return only;
}

// Whether the lanes of a vector in memory are addressed like the elements of an array: not those of
// i1, of which eight are in a byte.
bool has_addressable_lanes(const llvm::IntrinsicInst& store) {
  auto* element = store.getArgOperand(0)->getType()->getScalarType();
  const auto& layout = store.getDataLayout();
  return layout.getTypeSizeInBits(element) == layout.getTypeAllocSizeInBits(element);
}

void store_lane(llvm::IntrinsicInst& store, unsigned lane) {
  llvm::IRBuilder<> builder(&store);
  auto* values = store.getArgOperand(0);
  auto* element = llvm::cast<llvm::FixedVectorType>(values->getType())->getElementType();
  const auto offset = lane * store.getDataLayout().getTypeStoreSize(element);
  const auto alignment = llvm::commonAlignment(store.getParamAlign(1).valueOrOne(), offset);
  auto* value = builder.CreateExtractElement(values, lane);
  auto* address = builder.CreateConstInBoundsGEP1_32(element, store.getArgOperand(1), lane);
  auto* made = builder.CreateAlignedStore(value, address, alignment);
  made->setAAMetadata(store.getAAMetadata());
  made->copyMetadata(store,
                     {llvm::LLVMContext::MD_nontemporal, llvm::LLVMContext::MD_access_group});
  store.eraseFromParent();
}

} // namespace

static void scalarize_masked_stores(llvm::Module& module) {
  for (auto& function : module)
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::masked_store &&
          has_addressable_lanes(*call))
        if (const auto lane = only_lane(*call->getArgOperand(2)))
          store_lane(*call, *lane);
}

llvm::PreservedAnalyses ScalarizeMaskedStoresPass::run(llvm::Module& module,
                                                       llvm::ModuleAnalysisManager& /*analyses*/) {
  scalarize_masked_stores(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
