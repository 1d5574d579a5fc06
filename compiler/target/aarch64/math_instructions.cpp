// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/math_instructions.h"

#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/MC/MCSubtargetInfo.h"

namespace heddle::compiler::math_instructions {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr unsigned kRegisterBits = 128;
constexpr llvm::StringLiteral kBfloat = "__heddle_math_bfloat16_";
constexpr llvm::StringLiteral kReciprocal = "__heddle_math_reciprocal_";
constexpr llvm::StringLiteral kRootReciprocals[] = {"__heddle_math_rsqrt_",
                                                    "__heddle_math_coarse_rsqrt_"};
constexpr llvm::StringLiteral kDot = "__heddle_math_dot_i";
constexpr llvm::StringLiteral kSaturatingDot = "__heddle_math_dot_sat_i";
constexpr llvm::StringLiteral kHasDot = "__heddle_math_has_dot";
constexpr llvm::StringLiteral kSignedDot = "__heddle_math_dot_ss_i";
constexpr llvm::StringLiteral kUnsignedDot = "__heddle_math_dot_uu_i";
constexpr llvm::StringLiteral kHasAlikeDot = "__heddle_math_has_alike_dot";

bool is_root_reciprocal(llvm::StringRef function) {
  return llvm::any_of(kRootReciprocals, [&](auto name) { return function.starts_with(name); });
}

bool is_mixed_dot_product(llvm::StringRef function) {
  return function.starts_with(kDot) || function.starts_with(kSaturatingDot);
}

bool is_alike_dot_product(llvm::StringRef function) {
  return function.starts_with(kSignedDot) || function.starts_with(kUnsignedDot);
}

bool is_dot_product(llvm::StringRef function) {
  return is_mixed_dot_product(function) || is_alike_dot_product(function);
}

llvm::Value* neon(llvm::IRBuilder<>& builder, intrinsic::ID id,
                  llvm::ArrayRef<llvm::Value*> operands) {
  return builder.CreateIntrinsic(id, {operands.front()->getType()}, operands);
}

// The estimates have eight bits, and a step of Newton's method doubles them. The step's instruction
// makes of infinity and zero what the function gives for them.
llvm::Value* reciprocal(llvm::IRBuilder<>& builder, llvm::Value* x) {
  auto* estimate = neon(builder, intrinsic::aarch64_neon_frecpe, {x});
  return builder.CreateFMul(estimate, neon(builder, intrinsic::aarch64_neon_frecps, {x, estimate}));
}

llvm::Value* root_reciprocal(llvm::IRBuilder<>& builder, llvm::Value* x) {
  auto* estimate = neon(builder, intrinsic::aarch64_neon_frsqrte, {x});
  auto* square = builder.CreateFMul(estimate, estimate);
  return builder.CreateFMul(estimate, neon(builder, intrinsic::aarch64_neon_frsqrts, {x, square}));
}

llvm::Value* dot_product(llvm::StringRef function, llvm::IRBuilder<>& builder,
                         llvm::ArrayRef<llvm::Value*> operands) {
  auto* words = operands[0]->getType();
  auto* bytes = llvm::FixedVectorType::get(builder.getInt8Ty(), kRegisterBits / 8);
  const bool saturates = function.starts_with(kSaturatingDot);
  const auto id = function.starts_with(kSignedDot)     ? intrinsic::aarch64_neon_sdot
                  : function.starts_with(kUnsignedDot) ? intrinsic::aarch64_neon_udot
                                                       : intrinsic::aarch64_neon_usdot;
  auto* sum = builder.CreateIntrinsic(
      id, {words, bytes},
      {saturates ? llvm::Constant::getNullValue(words) : operands[0],
       builder.CreateBitCast(operands[1], bytes), builder.CreateBitCast(operands[2], bytes)});
  return saturates ? builder.CreateBinaryIntrinsic(intrinsic::sadd_sat, operands[0], sum) : sum;
}

// BFCVT or BFCVTN: rounded to nearest even, as FPCR is; subnormal numbers stay.
llvm::Value* bfloat(llvm::IRBuilder<>& builder, llvm::Value* x) {
  auto* type = x->getType()->getWithNewType(builder.getBFloatTy());
  auto* bits = x->getType()->getWithNewType(builder.getInt16Ty());
  return builder.CreateBitCast(builder.CreateFPTrunc(x, type), bits);
}

} // namespace

bool are_known(llvm::StringRef function) {
  return is_dot_product(function) || function.starts_with(kBfloat) ||
         function.starts_with(kReciprocal) || is_root_reciprocal(function);
}

bool exist(llvm::StringRef function, const TargetInfo& target) {
  if (function == kHasDot || is_mixed_dot_product(function))
    return target.subtarget->checkFeatures("+i8mm");
  if (function == kHasAlikeDot || is_alike_dot_product(function))
    return target.subtarget->checkFeatures("+dotprod");
  if (function.starts_with(kBfloat))
    return target.subtarget->checkFeatures("+bf16");
  return function.starts_with(kReciprocal) || is_root_reciprocal(function);
}

unsigned elements_at_once(llvm::StringRef function, llvm::Type& result) {
  if (function.starts_with(kBfloat)) // of floats; LLVM 22 cannot convert vectors longer than NEON's
    return result.isVectorTy() ? kRegisterBits / 32 : 0;
  return kRegisterBits / result.getScalarSizeInBits();
}

llvm::Value* emit(llvm::CallInst& call, llvm::ArrayRef<llvm::Value*> operands,
                  llvm::IRBuilder<>& builder) {
  const auto name = call.getCalledFunction()->getName();
  return is_dot_product(name)            ? dot_product(name, builder, operands)
         : name.starts_with(kBfloat)     ? bfloat(builder, operands.front())
         : name.starts_with(kReciprocal) ? reciprocal(builder, operands.front())
                                         : root_reciprocal(builder, operands.front());
}

llvm::Value* emit_scalar(llvm::CallInst& call, llvm::IRBuilder<>& builder) {
  return bfloat(builder, call.getArgOperand(0)); // the others are instructions for registers
}

} // namespace heddle::compiler::math_instructions
