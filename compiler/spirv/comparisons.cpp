// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, classes of floating-point numbers, booleans and selection.
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

} // namespace

void Translator::compare_integers(const Instruction& instruction,
                                  llvm::CmpInst::Predicate predicate) {
  auto* left = value(instruction[3]);
  require(is_integers(left->getType()) ||
              ((predicate == llvm::CmpInst::ICMP_EQ || predicate == llvm::CmpInst::ICMP_NE) &&
               left->getType()->isPointerTy()),
          "the operands are integers");
  auto* right = value_of(instruction[4], left->getType(), "the second operand");
  if (llvm::CmpInst::isSigned(predicate)) {
    left = with_sign(instruction[3], left);
    right = with_sign(instruction[4], right);
  }
  define_result(instruction, builder_.CreateICmp(predicate, left, right));
}

void Translator::compare_floats(const Instruction& instruction,
                                llvm::CmpInst::Predicate predicate) {
  auto* left = value(instruction[3]);
  require_floats(left->getType());
  auto* right = value_of(instruction[4], left->getType(), "the second operand");
  set_fast_math(instruction[2]);
  define_result(instruction, builder_.CreateFCmp(predicate, left, right));
}

void Translator::classify(const Instruction& instruction) {
  auto* operand = value(instruction[3]);
  auto* type = operand->getType();
  require(type->isFPOrFPVectorTy(), "the operand is floating-point");
  builder_.clearFastMathFlags();
  const auto magnitude = [&] {
    return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, operand);
  };
  auto* infinity = llvm::ConstantFP::getInfinity(type);
  llvm::Value* made = nullptr;
  switch (instruction.op) {
  case Op::OpIsNan:
    made = builder_.CreateFCmpUNO(operand, operand);
    break;
  case Op::OpIsInf:
    made = builder_.CreateFCmpOEQ(magnitude(), infinity);
    break;
  case Op::OpIsFinite:
    made = builder_.CreateFCmpONE(magnitude(), infinity);
    break;
  case Op::OpIsNormal: {
    const auto& semantics = type->getScalarType()->getFltSemantics();
    auto* least = llvm::ConstantFP::get(type, llvm::APFloat::getSmallestNormalized(semantics));
    auto* size = magnitude();
    made = builder_.CreateAnd(builder_.CreateFCmpOGE(size, least),
                              builder_.CreateFCmpOLT(size, infinity));
    break;
  }
  default: { // OpSignBitSet
    auto* word = llvm::IntegerType::get(context_, type->getScalarSizeInBits());
    llvm::Type* bits = word;
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      bits = llvm::FixedVectorType::get(word, vector->getNumElements());
    made = builder_.CreateICmpSLT(builder_.CreateBitCast(operand, bits),
                                  llvm::Constant::getNullValue(bits));
    break;
  }
  }
  define_result(instruction, made);
}

void Translator::logical(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  require(result.llvm->isIntOrIntVectorTy(1), "the result is boolean");
  auto* left = value_of(instruction[3], result.llvm, "the first operand");
  if (instruction.op == Op::OpLogicalNot) {
    define_result(instruction, builder_.CreateNot(left));
    return;
  }
  auto* right = value_of(instruction[4], result.llvm, "the second operand");
  llvm::Value* made = nullptr;
  switch (instruction.op) {
  case Op::OpLogicalEqual:
    made = builder_.CreateICmpEQ(left, right);
    break;
  case Op::OpLogicalNotEqual:
    made = builder_.CreateICmpNE(left, right);
    break;
  case Op::OpLogicalOr:
    made = builder_.CreateOr(left, right);
    break;
  default:
    made = builder_.CreateAnd(left, right);
    break;
  }
  define_result(instruction, made);
}

void Translator::any_or_all(const Instruction& instruction) {
  require(result_type(instruction).op == Op::OpTypeBool, "the result is boolean");
  auto* operand = value(instruction[3]);
  // LLVM 22's backend writes these for OpenCL C's any() and all() of integers, of which the highest
  // bits count.
  if (is_integers(operand->getType()))
    operand = builder_.CreateICmpSLT(operand, llvm::Constant::getNullValue(operand->getType()));
  if (operand->getType()->isIntegerTy(1)) {
    define_result(instruction, operand);
    return;
  }
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
  require(vector != nullptr && vector->isIntOrIntVectorTy(1), "the operand is a boolean vector");
  auto* made = builder_.CreateExtractElement(operand, std::uint64_t{0});
  for (unsigned i = 1; i < vector->getNumElements(); ++i) {
    auto* next = builder_.CreateExtractElement(operand, i);
    made = instruction.op == Op::OpAny ? builder_.CreateOr(made, next)
                                       : builder_.CreateAnd(made, next);
  }
  define_result(instruction, made);
}

void Translator::select(const Instruction& instruction) {
  auto* type = sized_type(instruction[1], "the result");
  auto* condition = value(instruction[3]);
  require(condition->getType()->isIntOrIntVectorTy(1), "the condition is boolean");
  if (const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(condition->getType())) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    require(vector != nullptr && vector->getNumElements() == lanes->getNumElements(),
            "there is a condition for each component");
  }
  auto* yes = value_of(instruction[4], type, "the first object");
  auto* no = value_of(instruction[5], type, "the second object");
  if (type->isFPOrFPVectorTy())
    builder_.clearFastMathFlags();
  define_result(instruction, builder_.CreateSelect(condition, yes, no));
}

void Translator::compare_pointers(const Instruction& instruction) {
  auto* left = pointers(instruction[3], "the first operand");
  auto* right = value_of(instruction[4], left->getType(), "the second operand");
  if (instruction.op != Op::OpPtrDiff) {
    define_result(instruction, instruction.op == Op::OpPtrEqual
                                   ? builder_.CreateICmpEQ(left, right)
                                   : builder_.CreateICmpNE(left, right));
    return;
  }
  const auto& result = result_type(instruction);
  require(is_integers(result.llvm), "the result is an integer");
  const auto& pointers_type = pointer_type_of(type_of_value(instruction[3]));
  require(pointers_type.element != 0 && type(pointers_type.element).bytes != 0,
          "the pointers are to a type with a size");
  unsigned at = 0;
  const bool is_vector = left->getType()->isVectorTy();
  define_result(instruction, for_components(left, result.llvm, [&](llvm::Value* pointer) {
                  auto* other = is_vector ? builder_.CreateExtractElement(right, at++) : right;
                  return builder_.CreateSExtOrTrunc(
                      builder_.CreatePtrDiff(type(pointers_type.element).llvm, pointer, other),
                      result.llvm->getScalarType());
                }));
}

} // namespace heddle::compiler::spirv
