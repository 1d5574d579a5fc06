// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/dot_products.h"

#include "llvm/IR/IntrinsicsX86.h"

namespace heddle::compiler {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr llvm::StringLiteral kDot = "__heddle_math_dot_i";
constexpr llvm::StringLiteral kSaturating = "__heddle_math_dot_sat_i";

// For registers of 128, 256 and 512 bits.
constexpr intrinsic::ID kWrap[] = {intrinsic::x86_avx512_vpdpbusd_128,
                                   intrinsic::x86_avx512_vpdpbusd_256,
                                   intrinsic::x86_avx512_vpdpbusd_512};
constexpr intrinsic::ID kSaturate[] = {intrinsic::x86_avx512_vpdpbusds_128,
                                       intrinsic::x86_avx512_vpdpbusds_256,
                                       intrinsic::x86_avx512_vpdpbusds_512};

} // namespace

bool is_dot_product(llvm::StringRef function) {
  return function.starts_with(kDot) || function.starts_with(kSaturating);
}

llvm::Value* dot_product(llvm::StringRef function, llvm::IRBuilder<>& builder,
                         llvm::ArrayRef<llvm::Value*> operands) {
  const auto elements = llvm::cast<llvm::FixedVectorType>(operands[0]->getType())->getNumElements();
  const unsigned size = elements == 16 ? 2 : elements == 8 ? 1 : 0;
  auto* bytes = llvm::FixedVectorType::get(builder.getInt8Ty(), 4 * elements);
  return builder.CreateIntrinsic(function.starts_with(kSaturating) ? kSaturate[size] : kWrap[size],
                                 llvm::ArrayRef<llvm::Type*>(),
                                 {operands[0], builder.CreateBitCast(operands[1], bytes),
                                  builder.CreateBitCast(operands[2], bytes)});
}

} // namespace heddle::compiler
