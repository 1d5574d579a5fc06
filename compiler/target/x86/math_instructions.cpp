// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/math_instructions.h"

#include "compiler/target/x86/dot_products.h"
#include "compiler/target/x86/features.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace heddle::compiler::math_instructions {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr llvm::StringLiteral kPrefix = "__heddle_math_";
// Selects an element of a constant table by the low four bits of a number.
constexpr llvm::StringLiteral kPick = "__heddle_math_pick_";
constexpr unsigned kTableLength = 16;
// Whether the selection is an instruction.
constexpr llvm::StringLiteral kHasTableLookup = "__heddle_math_has_pick";

// The instructions for registers of 128, 256 and 512 bits, of floats and of doubles.
struct Step {
  llvm::StringLiteral name;
  intrinsic::ID single[3], twice[3];
  int immediate; // below 0: none
  bool has_rounding;
  bool is_avx512 = true; // and has a mask
};

// Immediate of getmant: significands in [3/4, 3/2), NaN for negative numbers.
constexpr int kAroundOne = 3 | 2 << 2;
// The same for [1, 2).
constexpr int kAboveOne = 0 | 2 << 2;
// Immediate of range: the operand of smaller magnitude, with the sign of the first; the second if
// the first is NaN.
constexpr int kNearerToZero = 2;
// Rounding mode of MXCSR.
constexpr int kCurrentRounding = 4;

constexpr Step kSteps[] = {
    {"scale",
     {intrinsic::x86_avx512_mask_scalef_ps_128, intrinsic::x86_avx512_mask_scalef_ps_256,
      intrinsic::x86_avx512_mask_scalef_ps_512},
     {intrinsic::x86_avx512_mask_scalef_pd_128, intrinsic::x86_avx512_mask_scalef_pd_256,
      intrinsic::x86_avx512_mask_scalef_pd_512},
     -1,
     true},
    {"exponent",
     {intrinsic::x86_avx512_mask_getexp_ps_128, intrinsic::x86_avx512_mask_getexp_ps_256,
      intrinsic::x86_avx512_mask_getexp_ps_512},
     {intrinsic::x86_avx512_mask_getexp_pd_128, intrinsic::x86_avx512_mask_getexp_pd_256,
      intrinsic::x86_avx512_mask_getexp_pd_512},
     -1,
     true},
    {"mantissa",
     {intrinsic::x86_avx512_mask_getmant_ps_128, intrinsic::x86_avx512_mask_getmant_ps_256,
      intrinsic::x86_avx512_mask_getmant_ps_512},
     {intrinsic::x86_avx512_mask_getmant_pd_128, intrinsic::x86_avx512_mask_getmant_pd_256,
      intrinsic::x86_avx512_mask_getmant_pd_512},
     kAroundOne,
     true},
    {"significand",
     {intrinsic::x86_avx512_mask_getmant_ps_128, intrinsic::x86_avx512_mask_getmant_ps_256,
      intrinsic::x86_avx512_mask_getmant_ps_512},
     {intrinsic::x86_avx512_mask_getmant_pd_128, intrinsic::x86_avx512_mask_getmant_pd_256,
      intrinsic::x86_avx512_mask_getmant_pd_512},
     kAboveOne,
     true},
    {"within",
     {intrinsic::x86_avx512_mask_range_ps_128, intrinsic::x86_avx512_mask_range_ps_256,
      intrinsic::x86_avx512_mask_range_ps_512},
     {intrinsic::x86_avx512_mask_range_pd_128, intrinsic::x86_avx512_mask_range_pd_256,
      intrinsic::x86_avx512_mask_range_pd_512},
     kNearerToZero,
     true},
    {"reciprocal",
     {intrinsic::x86_avx512_rcp14_ps_128, intrinsic::x86_avx512_rcp14_ps_256,
      intrinsic::x86_avx512_rcp14_ps_512},
     {intrinsic::x86_avx512_rcp14_pd_128, intrinsic::x86_avx512_rcp14_pd_256,
      intrinsic::x86_avx512_rcp14_pd_512},
     -1,
     false},
    {"rsqrt",
     {intrinsic::x86_avx512_rsqrt14_ps_128, intrinsic::x86_avx512_rsqrt14_ps_256,
      intrinsic::x86_avx512_rsqrt14_ps_512},
     {intrinsic::x86_avx512_rsqrt14_pd_128, intrinsic::x86_avx512_rsqrt14_pd_256,
      intrinsic::x86_avx512_rsqrt14_pd_512},
     -1,
     false},
    {"coarse_rsqrt",
     {intrinsic::x86_sse_rsqrt_ps, intrinsic::x86_avx_rsqrt_ps_256, intrinsic::not_intrinsic},
     {},
     -1,
     false,
     false},
};

const Step* find_step(llvm::StringRef name) {
  if (!name.consume_front(kPrefix))
    return nullptr;
  for (const auto& step : kSteps)
    if (name.starts_with(step.name))
      return &step;
  return nullptr;
}

bool is_table_lookup(llvm::StringRef function) { return function.starts_with(kPick); }

// One instruction, for operands that fill a register.
llvm::Value* one_register(const Step& step, llvm::IRBuilder<>& builder,
                          llvm::ArrayRef<llvm::Value*> operands) {
  auto* type = llvm::cast<llvm::FixedVectorType>(operands[0]->getType());
  const unsigned elements = type->getNumElements();
  const auto bits = elements * type->getScalarSizeInBits();
  const unsigned size = bits == 512 ? 2 : bits == 256 ? 1 : 0;
  llvm::SmallVector<llvm::Value*, 6> arguments(operands);
  if (step.immediate >= 0)
    arguments.push_back(builder.getInt32(static_cast<unsigned>(step.immediate)));
  if (step.is_avx512) {
    // The pass-through operand of masked elements, and the mask.
    arguments.push_back(llvm::Constant::getNullValue(type));
    arguments.push_back(
        llvm::ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(elements, 8U))));
  }
  if (step.has_rounding && size == 2)
    arguments.push_back(builder.getInt32(kCurrentRounding));
  return builder.CreateIntrinsic(
      (type->getElementType()->isFloatTy() ? step.single : step.twice)[size], {}, arguments);
}

// The table in vectors that fill registers.
llvm::SmallVector<llvm::Constant*, 2> table_of(llvm::Value* pointer, llvm::Type* element,
                                               const llvm::DataLayout& layout) {
  const unsigned size = element->getScalarSizeInBits() / 8;
  llvm::APInt offset(64, 0);
  auto* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base);
  llvm::SmallVector<llvm::Constant*, kTableLength> elements;
  for (unsigned i = 0; variable != nullptr && i < kTableLength; ++i)
    elements.push_back(llvm::ConstantFoldLoadFromConst(variable->getInitializer(), element,
                                                       offset + i * size, layout));
  llvm::SmallVector<llvm::Constant*, 2> parts;
  const unsigned each = 64 / size;
  for (unsigned first = 0; first < elements.size(); first += each)
    parts.push_back(llvm::ConstantVector::get(llvm::ArrayRef(elements).slice(first, each)));
  return parts;
}

// Table elements for a register of numbers.
llvm::Value* picked(llvm::CallInst& call, llvm::Value* numbers, llvm::IRBuilder<>& builder) {
  auto* element = call.getType()->getScalarType();
  const auto parts = table_of(call.getArgOperand(1), element, call.getDataLayout());
  if (element->isFloatTy())
    return builder.CreateIntrinsic(intrinsic::x86_avx512_permvar_sf_512, {}, {parts[0], numbers});
  return builder.CreateIntrinsic(intrinsic::x86_avx512_vpermi2var_pd_512, {},
                                 {parts[0], numbers, parts[1]});
}

} // namespace

bool are_known(llvm::StringRef function) {
  return find_step(function) != nullptr || is_table_lookup(function) || is_dot_product(function);
}

bool exist(llvm::StringRef function, const TargetInfo& target) {
  const x86::Features has(target);
  const bool has_math = has.has_avx512_doublewords && has.has_avx512_short_vectors;
  if (function == kHasDotProducts || is_dot_product(function))
    return has.has_vnni && has.has_avx512_short_vectors;
  if (const auto* step = find_step(function))
    return step->is_avx512 ? has_math : has.has_avx2;
  return has_math && (function == kHasTableLookup || is_table_lookup(function));
}

// 128 to 512 bits.
unsigned elements_at_once(llvm::StringRef function, llvm::Type& result) {
  const unsigned element_bits = result.getScalarSizeInBits();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&result);
  // A permutation of a single element would be lowered through memory.
  if (is_table_lookup(function) && vector == nullptr)
    return 0;
  const unsigned width = vector != nullptr ? vector->getNumElements() : 1;
  const auto* step = find_step(function);
  const unsigned least = is_table_lookup(function) ? 512 : 128;
  const unsigned most = step != nullptr && !step->is_avx512 ? 256 : 512;
  return std::clamp(width * element_bits, least, most) / element_bits;
}

llvm::Value* emit(llvm::CallInst& call, llvm::ArrayRef<llvm::Value*> operands,
                  llvm::IRBuilder<>& builder) {
  const auto name = call.getCalledFunction()->getName();
  if (const auto* step = find_step(name))
    return one_register(*step, builder, operands);
  return is_table_lookup(name) ? picked(call, operands.front(), builder)
                               : dot_product(name, builder, operands);
}

// From the table in memory.
llvm::Value* emit_scalar(llvm::CallInst& call, llvm::IRBuilder<>& builder) {
  auto* number = builder.CreateAnd(call.getArgOperand(0), kTableLength - 1);
  auto* type = call.getType();
  return builder.CreateLoad(type, builder.CreateInBoundsGEP(type, call.getArgOperand(1), number));
}

} // namespace heddle::compiler::math_instructions
