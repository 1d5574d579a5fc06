// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/expand_gathers.h"

#include "compiler/ir/id_based_access.h"
#include "compiler/ir/vectorized_attribute.h"
#include "compiler/target/x86/features.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kElementBytes = 2; // of those that no CPU gathers

bool is_constant_true(const llvm::Value& mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&mask);
  return constant != nullptr && constant->isAllOnesValue();
}

// The addresses of an access: a vector of pointers, or a pointer and a vector of indices, of which
// 32-bit ones are taken apart before they are extended.
class LaneAddresses {
 public:
  explicit LaneAddresses(llvm::Value& addresses) : addresses_(&addresses) {
    auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&addresses);
    if (gep == nullptr || gep->getNumIndices() != 1 || gep->getPointerOperandType()->isVectorTy())
      return;
    gep_ = gep;
    indices_ = gep->getOperand(1);
    if (auto* extension = llvm::dyn_cast<llvm::CastInst>(indices_);
        extension != nullptr &&
        (llvm::isa<llvm::ZExtInst>(extension) || llvm::isa<llvm::SExtInst>(extension))) {
      extension_ = extension;
      indices_ = extension->getOperand(0);
    }
  }

  llvm::Value* lane(llvm::IRBuilderBase& builder, unsigned lane) const {
    if (gep_ == nullptr)
      return builder.CreateExtractElement(addresses_, lane);
    auto* index = builder.CreateExtractElement(indices_, lane);
    if (extension_ != nullptr)
      index = builder.CreateCast(extension_->getOpcode(), index,
                                 extension_->getType()->getScalarType());
    return builder.CreateGEP(gep_->getSourceElementType(), gep_->getPointerOperand(), index, "",
                             gep_->getNoWrapFlags());
  }

 private:
  llvm::Value* addresses_;
  llvm::GetElementPtrInst* gep_ = nullptr;
  llvm::CastInst* extension_ = nullptr;
  llvm::Value* indices_ = nullptr;
};

void expand_gather(llvm::IntrinsicInst& gather) {
  llvm::IRBuilder<> builder(&gather);
  auto* type = llvm::cast<llvm::FixedVectorType>(gather.getType());
  const LaneAddresses addresses(*gather.getArgOperand(0));
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    auto* loaded = builder.CreateAlignedLoad(type->getElementType(), addresses.lane(builder, lane),
                                             gather.getParamAlign(0).valueOrOne());
    loaded->setAAMetadata(gather.getAAMetadata());
    loaded->copyMetadata(gather, {llvm::LLVMContext::MD_access_group});
    result = builder.CreateInsertElement(result, loaded, lane);
  }
  gather.replaceAllUsesWith(result);
  gather.eraseFromParent();
}

// No CPU has gathers of elements of 16 bits. Words that contain them and begin at most two bytes
// before, in the same aligned word, are on the same pages.
void widen(llvm::IntrinsicInst& gather) {
  constexpr std::uint64_t kWordBytes = 4;
  llvm::IRBuilder<> builder(&gather);
  auto* type = llvm::cast<llvm::FixedVectorType>(gather.getType());
  auto* addresses = gather.getArgOperand(0);
  auto* mask = gather.getArgOperand(1);
  const auto with_lanes = [&](llvm::Type* element) {
    return llvm::FixedVectorType::get(element, type->getNumElements());
  };
  auto* places = builder.CreatePtrToInt(addresses, with_lanes(builder.getInt64Ty()));
  llvm::Value* offsets = builder.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin, builder.CreateAnd(places, kWordBytes - 1),
      llvm::ConstantInt::get(places->getType(), kWordBytes - kElementBytes));
  auto* begins = builder.CreateIntToPtr(builder.CreateSub(places, offsets), addresses->getType());
  auto* words =
      builder.CreateMaskedGather(with_lanes(builder.getInt32Ty()), begins, llvm::Align(1), mask);
  words->copyMetadata(gather, {llvm::LLVMContext::MD_access_group});
  offsets = builder.CreateTrunc(offsets, words->getType());
  auto* shifted = builder.CreateLShr(words, builder.CreateShl(offsets, std::uint64_t{3}));
  auto* bits = builder.CreateTrunc(shifted, with_lanes(builder.getInt16Ty()));
  auto* result = builder.CreateBitCast(bits, type);
  if (auto* inactive = gather.getArgOperand(2); !llvm::isa<llvm::UndefValue>(inactive))
    result = builder.CreateSelect(mask, result, inactive);
  gather.replaceAllUsesWith(result);
  gather.eraseFromParent();
}

bool is_widened(const llvm::IntrinsicInst& gather) {
  const auto* element = gather.getType()->getScalarType();
  return !element->isPointerTy() && element->getScalarSizeInBits() == 8 * kElementBytes;
}

} // namespace

llvm::PreservedAnalyses ExpandGathersPass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  if (!x86::Features(target_).has_avx512)
    return llvm::PreservedAnalyses::all();
  for (auto& function : module) {
    if (function.hasFnAttribute(kDefersGathersAttribute) != are_deferred_)
      continue;
    for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::masked_gather)
        continue;
      if (target_.has_slow_gathers && is_constant_true(*call->getArgOperand(1)) &&
          !is_id_based_access(*call))
        expand_gather(*call);
      else if (is_widened(*call))
        widen(*call);
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
