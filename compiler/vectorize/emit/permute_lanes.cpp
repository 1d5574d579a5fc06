// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/permute_lanes.h"

#include "compiler/target/instructions.h"
#include "compiler/vectorize/emit/lane_shuffles.h"
#include "llvm/IR/Constants.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

constexpr unsigned kPermutedBits = 32;

unsigned count_of(const llvm::Value& vector) {
  return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
}

// Code generation matches this pattern and selects a variable permutation where the CPU has one for
// vectors of one register.
llvm::Value* permute_one_by_one(llvm::IRBuilderBase& builder, llvm::Value* values,
                                llvm::Value* index) {
  llvm::Value* result = llvm::PoisonValue::get(values->getType());
  for (unsigned i = 0; i < count_of(*values); ++i)
    result = builder.CreateInsertElement(
        result, builder.CreateExtractElement(values, builder.CreateExtractElement(index, i)), i);
  return result;
}

} // namespace

llvm::Value* permute_lanes(llvm::IRBuilderBase& builder, llvm::Value* values, llvm::Value* index,
                           const VectorPlan& plan) {
  auto* type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const auto count = type->getNumElements();
  const auto bits = type->getScalarSizeInBits();
  index = builder.CreateAnd(index, llvm::ConstantInt::get(index->getType(), count - 1));
  const auto& permutes = plan.permutes;
  if (permutes.register_bits == 0 ||
      (permutes.are_selected && count * std::max(bits, kPermutedBits) <= permutes.register_bits))
    return permute_one_by_one(builder, values, index);
  const auto permute = [&](llvm::Value* from) {
    return target_instructions::permute_words(builder, from, index, permutes);
  };
  auto* words = llvm::FixedVectorType::get(builder.getInt32Ty(), count);
  if (bits == kPermutedBits)
    return builder.CreateBitCast(permute(builder.CreateBitCast(values, words)), type);
  auto* integers = llvm::FixedVectorType::get(builder.getIntNTy(bits), count);
  if (bits < kPermutedBits) {
    auto* wide = builder.CreateZExt(builder.CreateBitCast(values, integers), words);
    return builder.CreateBitCast(builder.CreateTrunc(permute(wide), integers), type);
  }
  auto* both =
      builder.CreateBitCast(values, llvm::FixedVectorType::get(builder.getInt32Ty(), count * 2));
  auto* low = permute(deinterleave(builder, both, count, 2, 0));
  auto* high = permute(deinterleave(builder, both, count, 2, 1));
  return builder.CreateBitCast(interleave_pair(builder, low, high), type);
}

} // namespace heddle::compiler
