// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/scalarize_masked_stores.h"

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

// Where the CPU has no masked accesses, LLVM 22 makes scalar ones of them. For pointers these get
// the alignment of the whole vector, also at its later lanes, and code generation relies on it when
// it merges them: an aligned store at an address that is not.
void limit_alignment(llvm::IntrinsicInst& access, const llvm::Type& vector, unsigned pointer) {
  if (!vector.isPtrOrPtrVectorTy())
    return;
  const auto most = access.getDataLayout().getPointerABIAlignment(0);
  if (access.getParamAlign(pointer).valueOrOne() <= most)
    return;
  access.removeParamAttr(pointer, llvm::Attribute::Alignment);
  access.addParamAttr(pointer, llvm::Attribute::getWithAlignment(access.getContext(), most));
}

} // namespace

static void scalarize_masked_stores(llvm::Module& module) {
  for (auto& function : module)
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
        if (call->getIntrinsicID() == llvm::Intrinsic::masked_load)
          limit_alignment(*call, *call->getType(), 0);
        if (call->getIntrinsicID() != llvm::Intrinsic::masked_store)
          continue;
        limit_alignment(*call, *call->getArgOperand(0)->getType(), 1);
        if (const auto lane = only_lane(*call->getArgOperand(2));
            lane && has_addressable_lanes(*call))
          store_lane(*call, *lane);
      }
}

llvm::PreservedAnalyses ScalarizeMaskedStoresPass::run(llvm::Module& module,
                                                       llvm::ModuleAnalysisManager& /*analyses*/) {
  scalarize_masked_stores(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
