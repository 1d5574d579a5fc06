// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_masks.h"

namespace heddle::compiler {

MaskEmitter::MaskEmitter(EmitContext& context, VectorValues& values)
    : builder_(context.builder()), plan_(context.inputs().plan), values_(values) {}

llvm::Value* MaskEmitter::mask_or_all(unsigned row) {
  return current_[row] != nullptr ? current_[row] : all_true();
}

bool MaskEmitter::are_all_active() const {
  return llvm::all_of(current_, [](const llvm::Value* mask) { return mask == nullptr; });
}

void MaskEmitter::set_block_masks(const llvm::BasicBlock& block, const Masks& masks) {
  block_masks_[&block] = masks;
}

const Masks* MaskEmitter::block_masks(const llvm::BasicBlock& block) const {
  const auto found = block_masks_.find(&block);
  return found != block_masks_.end() ? &found->second : nullptr;
}

llvm::Value* MaskEmitter::all_true() {
  return llvm::Constant::getAllOnesValue(values_.widened(builder_.getInt1Ty()));
}

llvm::Value* MaskEmitter::any_active(const Masks& masks) {
  llvm::Value* combined = nullptr;
  for (auto* mask : masks) {
    if (mask == nullptr)
      return builder_.getTrue();
    if (combined == nullptr)
      combined = mask;
    else if (combined != mask)
      combined = builder_.CreateOr(combined, mask);
  }
  auto* bits = builder_.CreateBitCast(combined, builder_.getIntNTy(plan_.width));
  return builder_.CreateICmpNE(bits, llvm::Constant::getNullValue(bits->getType()), "any");
}

llvm::Value* MaskEmitter::active_bits(unsigned row, llvm::Value* which) {
  auto* active = mask_or_all(row);
  if (which != nullptr)
    active = builder_.CreateSelect(active, which, llvm::Constant::getNullValue(which->getType()));
  return builder_.CreateZExtOrTrunc(builder_.CreateBitCast(active, builder_.getIntNTy(plan_.width)),
                                    builder_.getInt64Ty());
}

llvm::Value* MaskEmitter::first_active_lane() {
  if (mask(0) == nullptr)
    return builder_.getInt64(0);
  return builder_.CreateIntrinsic(llvm::Intrinsic::cttz, {builder_.getInt64Ty()},
                                  {active_bits(0), builder_.getTrue()});
}

llvm::Value* MaskEmitter::last_active_value(llvm::Value* vector, unsigned row) {
  if (mask(row) == nullptr)
    return builder_.CreateExtractElement(vector, plan_.width - 1);
  auto* zeros = builder_.CreateIntrinsic(llvm::Intrinsic::ctlz, {builder_.getInt64Ty()},
                                         {active_bits(row), builder_.getFalse()});
  auto* last =
      builder_.CreateAnd(builder_.CreateSub(builder_.getInt64(63), zeros), plan_.width - 1);
  return builder_.CreateExtractElement(vector, last);
}

} // namespace heddle::compiler
