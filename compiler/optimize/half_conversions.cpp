// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/half_conversions.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle::compiler {
namespace {

// Bits of floats.
constexpr std::uint32_t kSign = 0x80000000, kInfinity = 0x7f800000;
constexpr std::uint32_t kHalfInfinity = 0x7c00u << 13; // where half's bits are shifted to float's
constexpr std::uint32_t kTooLarge = 0x47800000;        // 2^16
constexpr std::uint32_t kLeastNormal = 0x38800000;     // 2^-14
constexpr std::uint32_t kSubnormalShift = 0x3f000000;  // 1/2, whose unit is half's least number
constexpr std::uint32_t kBias = (127 - 15) << 23;      // between the exponents

llvm::Constant* word(llvm::Type* type, std::uint32_t bits) {
  return llvm::ConstantInt::get(type, bits);
}

// A sum that is not exact, of which the last bit is a zero, becomes the neighbor in the direction
// of the error: its last bit is then a one ("round to odd").
llvm::Value* to_odd(llvm::IRBuilderBase& builder, llvm::Value* sum, llvm::Value* error) {
  auto* words = with_element(sum->getType(), builder.getInt32Ty());
  auto* zero = llvm::Constant::getNullValue(sum->getType());
  auto* bits = builder.CreateBitCast(sum, words);
  // Not for an infinite or invalid sum, whose error is NaN.
  auto* is_inexact = builder.CreateFCmpONE(error, zero);
  auto* opposite =
      builder.CreateXor(builder.CreateFCmpOGT(error, zero), builder.CreateFCmpOGT(sum, zero));
  auto* truncated = builder.CreateSub(bits, builder.CreateZExt(opposite, words));
  auto* odd = builder.CreateOr(truncated, builder.CreateZExt(is_inexact, words));
  return builder.CreateBitCast(builder.CreateSelect(is_inexact, odd, bits), sum->getType());
}

} // namespace

llvm::Type* with_element(llvm::Type* type, llvm::Type* element) {
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type))
    return llvm::VectorType::get(element, vector->getElementCount());
  return element;
}

llvm::Value* half_to_float(llvm::IRBuilderBase& builder, llvm::Value* value, bool has_conversions) {
  auto* floats = with_element(value->getType(), builder.getFloatTy());
  if (has_conversions || llvm::isa<llvm::Constant>(value))
    return builder.CreateFPExt(value, floats);
  auto* words = with_element(floats, builder.getInt32Ty());
  auto* bits = builder.CreateZExt(
      builder.CreateBitCast(value, with_element(floats, builder.getInt16Ty())), words);
  auto* magnitude = builder.CreateShl(builder.CreateAnd(bits, word(words, 0x7fff)), 13);
  // Shifted to float's fraction it is 2^-112 times the number, subnormal numbers as well.
  auto* scaled = builder.CreateFMul(builder.CreateBitCast(magnitude, floats),
                                    llvm::ConstantFP::get(floats, 0x1p112));
  auto* is_finite = builder.CreateICmpULT(magnitude, word(words, kHalfInfinity));
  auto* special = builder.CreateOr(magnitude, word(words, kInfinity));
  auto* number = builder.CreateSelect(is_finite, builder.CreateBitCast(scaled, words), special);
  auto* sign = builder.CreateShl(builder.CreateAnd(bits, word(words, 0x8000)), 16);
  return builder.CreateBitCast(builder.CreateOr(number, sign), floats);
}

llvm::Value* float_to_half(llvm::IRBuilderBase& builder, llvm::Value* value, bool has_conversions) {
  auto* halves = with_element(value->getType(), builder.getHalfTy());
  if (has_conversions || llvm::isa<llvm::Constant>(value))
    return builder.CreateFPTrunc(value, halves);
  auto* floats = value->getType();
  auto* words = with_element(floats, builder.getInt32Ty());
  auto* bits = builder.CreateBitCast(value, words);
  auto* magnitude = builder.CreateAnd(bits, word(words, ~kSign));
  // Normal numbers: a half of the unit less one, and one more for an odd result.
  auto* is_odd = builder.CreateAnd(builder.CreateLShr(magnitude, 13), word(words, 1));
  auto* rounded =
      builder.CreateAdd(builder.CreateAdd(magnitude, word(words, 0xfff - kBias)), is_odd);
  auto* normal = builder.CreateLShr(rounded, 13);
  // Subnormal numbers: an addition rounds them.
  auto* half = llvm::ConstantExpr::getBitCast(word(words, kSubnormalShift), floats);
  auto* sum = builder.CreateFAdd(builder.CreateBitCast(magnitude, floats), half);
  auto* subnormal =
      builder.CreateSub(builder.CreateBitCast(sum, words), word(words, kSubnormalShift));
  auto* result = builder.CreateSelect(builder.CreateICmpULT(magnitude, word(words, kLeastNormal)),
                                      subnormal, normal);
  auto* nan = builder.CreateOr(builder.CreateAnd(builder.CreateLShr(bits, 13), word(words, 0x3ff)),
                               word(words, 0x7e00));
  auto* special = builder.CreateSelect(builder.CreateICmpUGT(magnitude, word(words, kInfinity)),
                                       nan, word(words, 0x7c00));
  result = builder.CreateSelect(builder.CreateICmpULT(magnitude, word(words, kTooLarge)), result,
                                special);
  auto* sign = builder.CreateAnd(builder.CreateLShr(bits, 16), word(words, 0x8000));
  return builder.CreateBitCast(builder.CreateTrunc(builder.CreateOr(result, sign),
                                                   with_element(floats, builder.getInt16Ty())),
                               halves);
}

llvm::Value* double_to_odd_float(llvm::IRBuilderBase& builder, llvm::Value* value) {
  auto* floats = with_element(value->getType(), builder.getFloatTy());
  auto* words = with_element(floats, builder.getInt32Ty());
  auto* nearest = builder.CreateFPTrunc(value, floats);
  auto* back = builder.CreateFPExt(nearest, value->getType());
  auto* is_beyond =
      builder.CreateFCmpOGT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                            builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value));
  auto* is_inexact = builder.CreateFCmpONE(back, value);
  auto* truncated = builder.CreateSub(builder.CreateBitCast(nearest, words),
                                      builder.CreateZExt(is_beyond, words));
  return builder.CreateBitCast(builder.CreateOr(truncated, builder.CreateZExt(is_inexact, words)),
                               floats);
}

llvm::Value* odd_fma_of_halves(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b,
                               llvm::Value* c) {
  // The product of two halves has 22 bits: exact. The error of the sum is a float (Knuth).
  auto* product = builder.CreateFMul(a, b);
  auto* sum = builder.CreateFAdd(product, c);
  auto* of_sum = builder.CreateFSub(sum, product);
  auto* error = builder.CreateFAdd(builder.CreateFSub(product, builder.CreateFSub(sum, of_sum)),
                                   builder.CreateFSub(c, of_sum));
  return to_odd(builder, sum, error);
}

} // namespace heddle::compiler
