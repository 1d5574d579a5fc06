// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, classes of floating-point numbers, booleans and selection.
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

void compare_integers(Translation& t, const Instruction& instruction,
                      llvm::CmpInst::Predicate predicate) {
  auto* left = t.value(instruction[3]);
  t.require(is_integers(left->getType()) ||
                ((predicate == llvm::CmpInst::ICMP_EQ || predicate == llvm::CmpInst::ICMP_NE) &&
                 left->getType()->isPointerTy()),
            "the operands are integers");
  auto* right = t.value_of(instruction[4], left->getType(), "the second operand");
  if (llvm::CmpInst::isSigned(predicate)) {
    left = t.with_sign(instruction[3], left);
    right = t.with_sign(instruction[4], right);
  }
  t.define_result(instruction, t.builder.CreateICmp(predicate, left, right));
}

void compare_floats(Translation& t, const Instruction& instruction,
                    llvm::CmpInst::Predicate predicate) {
  auto* left = t.value(instruction[3]);
  require_floats(t, left->getType());
  auto* right = t.value_of(instruction[4], left->getType(), "the second operand");
  t.set_fast_math(instruction[2]);
  t.define_result(instruction, t.builder.CreateFCmp(predicate, left, right));
}

void classify(Translation& t, const Instruction& instruction) {
  auto* operand = t.value(instruction[3]);
  auto* type = operand->getType();
  t.require(type->isFPOrFPVectorTy(), "the operand is floating-point");
  t.builder.clearFastMathFlags();
  const auto magnitude = [&] {
    return t.builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, operand);
  };
  auto* infinity = llvm::ConstantFP::getInfinity(type);
  llvm::Value* made = nullptr;
  switch (instruction.op) {
  case Op::OpIsNan:
    made = t.builder.CreateFCmpUNO(operand, operand);
    break;
  case Op::OpIsInf:
    made = t.builder.CreateFCmpOEQ(magnitude(), infinity);
    break;
  case Op::OpIsFinite:
    made = t.builder.CreateFCmpONE(magnitude(), infinity);
    break;
  case Op::OpIsNormal: {
    const auto& semantics = type->getScalarType()->getFltSemantics();
    auto* least = llvm::ConstantFP::get(type, llvm::APFloat::getSmallestNormalized(semantics));
    auto* size = magnitude();
    made = t.builder.CreateAnd(t.builder.CreateFCmpOGE(size, least),
                               t.builder.CreateFCmpOLT(size, infinity));
    break;
  }
  default: { // OpSignBitSet
    auto* word = llvm::IntegerType::get(t.context, type->getScalarSizeInBits());
    llvm::Type* bits = word;
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      bits = llvm::FixedVectorType::get(word, vector->getNumElements());
    made = t.builder.CreateICmpSLT(t.builder.CreateBitCast(operand, bits),
                                   llvm::Constant::getNullValue(bits));
    break;
  }
  }
  t.define_result(instruction, made);
}

void logical(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  t.require(result.llvm->isIntOrIntVectorTy(1), "the result is boolean");
  auto* left = t.value_of(instruction[3], result.llvm, "the first operand");
  if (instruction.op == Op::OpLogicalNot) {
    t.define_result(instruction, t.builder.CreateNot(left));
    return;
  }
  auto* right = t.value_of(instruction[4], result.llvm, "the second operand");
  llvm::Value* made = nullptr;
  switch (instruction.op) {
  case Op::OpLogicalEqual:
    made = t.builder.CreateICmpEQ(left, right);
    break;
  case Op::OpLogicalNotEqual:
    made = t.builder.CreateICmpNE(left, right);
    break;
  case Op::OpLogicalOr:
    made = t.builder.CreateOr(left, right);
    break;
  default:
    made = t.builder.CreateAnd(left, right);
    break;
  }
  t.define_result(instruction, made);
}

void any_or_all(Translation& t, const Instruction& instruction) {
  t.require(t.result_type(instruction).op == Op::OpTypeBool, "the result is boolean");
  auto* operand = t.value(instruction[3]);
  // LLVM 22's backend writes these for OpenCL C's any() and all() of integers, of which the highest
  // bits count.
  if (is_integers(operand->getType()))
    operand = t.builder.CreateICmpSLT(operand, llvm::Constant::getNullValue(operand->getType()));
  if (operand->getType()->isIntegerTy(1)) {
    t.define_result(instruction, operand);
    return;
  }
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
  t.require(vector != nullptr && vector->isIntOrIntVectorTy(1), "the operand is a boolean vector");
  auto* made = t.builder.CreateExtractElement(operand, std::uint64_t{0});
  for (unsigned i = 1; i < vector->getNumElements(); ++i) {
    auto* next = t.builder.CreateExtractElement(operand, i);
    made = instruction.op == Op::OpAny ? t.builder.CreateOr(made, next)
                                       : t.builder.CreateAnd(made, next);
  }
  t.define_result(instruction, made);
}

void select(Translation& t, const Instruction& instruction) {
  auto* type = t.sized_type(instruction[1], "the result");
  auto* condition = t.value(instruction[3]);
  t.require(condition->getType()->isIntOrIntVectorTy(1), "the condition is boolean");
  if (const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(condition->getType())) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    t.require(vector != nullptr && vector->getNumElements() == lanes->getNumElements(),
              "there is a condition for each component");
  }
  auto* yes = t.value_of(instruction[4], type, "the first object");
  auto* no = t.value_of(instruction[5], type, "the second object");
  if (type->isFPOrFPVectorTy())
    t.builder.clearFastMathFlags();
  t.define_result(instruction, t.builder.CreateSelect(condition, yes, no));
}

void compare_pointers(Translation& t, const Instruction& instruction) {
  auto* left = pointers(t, instruction[3], "the first operand");
  auto* right = t.value_of(instruction[4], left->getType(), "the second operand");
  if (instruction.op != Op::OpPtrDiff) {
    t.define_result(instruction, instruction.op == Op::OpPtrEqual
                                     ? t.builder.CreateICmpEQ(left, right)
                                     : t.builder.CreateICmpNE(left, right));
    return;
  }
  const auto& result = t.result_type(instruction);
  t.require(is_integers(result.llvm), "the result is an integer");
  const auto& pointers_type = pointer_type_of(t, t.type_of_value(instruction[3]));
  t.require(pointers_type.element != 0 && t.type(pointers_type.element).bytes != 0,
            "the pointers are to a type with a size");
  unsigned at = 0;
  const bool is_vector = left->getType()->isVectorTy();
  t.define_result(instruction, for_components(t, left, result.llvm, [&](llvm::Value* pointer) {
                    auto* other = is_vector ? t.builder.CreateExtractElement(right, at++) : right;
                    return t.builder.CreateSExtOrTrunc(
                        t.builder.CreatePtrDiff(t.type(pointers_type.element).llvm, pointer, other),
                        result.llvm->getScalarType());
                  }));
}

template <llvm::CmpInst::Predicate kPredicate>
void compare_by(Translation& t, const Instruction& instruction) {
  if (llvm::CmpInst::isIntPredicate(kPredicate))
    compare_integers(t, instruction, kPredicate);
  else
    compare_floats(t, instruction, kPredicate);
}

} // namespace

void add_comparisons(Readers& readers) {
  using Predicate = llvm::CmpInst;
  readers.add(compare_by<Predicate::ICMP_EQ>, {Op::OpIEqual});
  readers.add(compare_by<Predicate::ICMP_NE>, {Op::OpINotEqual});
  readers.add(compare_by<Predicate::ICMP_UGT>, {Op::OpUGreaterThan});
  readers.add(compare_by<Predicate::ICMP_SGT>, {Op::OpSGreaterThan});
  readers.add(compare_by<Predicate::ICMP_UGE>, {Op::OpUGreaterThanEqual});
  readers.add(compare_by<Predicate::ICMP_SGE>, {Op::OpSGreaterThanEqual});
  readers.add(compare_by<Predicate::ICMP_ULT>, {Op::OpULessThan});
  readers.add(compare_by<Predicate::ICMP_SLT>, {Op::OpSLessThan});
  readers.add(compare_by<Predicate::ICMP_ULE>, {Op::OpULessThanEqual});
  readers.add(compare_by<Predicate::ICMP_SLE>, {Op::OpSLessThanEqual});
  readers.add(compare_by<Predicate::FCMP_OEQ>, {Op::OpFOrdEqual});
  readers.add(compare_by<Predicate::FCMP_UEQ>, {Op::OpFUnordEqual});
  readers.add(compare_by<Predicate::FCMP_ONE>, {Op::OpFOrdNotEqual, Op::OpLessOrGreater});
  readers.add(compare_by<Predicate::FCMP_UNE>, {Op::OpFUnordNotEqual});
  readers.add(compare_by<Predicate::FCMP_OLT>, {Op::OpFOrdLessThan});
  readers.add(compare_by<Predicate::FCMP_ULT>, {Op::OpFUnordLessThan});
  readers.add(compare_by<Predicate::FCMP_OGT>, {Op::OpFOrdGreaterThan});
  readers.add(compare_by<Predicate::FCMP_UGT>, {Op::OpFUnordGreaterThan});
  readers.add(compare_by<Predicate::FCMP_OLE>, {Op::OpFOrdLessThanEqual});
  readers.add(compare_by<Predicate::FCMP_ULE>, {Op::OpFUnordLessThanEqual});
  readers.add(compare_by<Predicate::FCMP_OGE>, {Op::OpFOrdGreaterThanEqual});
  readers.add(compare_by<Predicate::FCMP_UGE>, {Op::OpFUnordGreaterThanEqual});
  readers.add(compare_by<Predicate::FCMP_ORD>, {Op::OpOrdered});
  readers.add(compare_by<Predicate::FCMP_UNO>, {Op::OpUnordered});
  readers.add(classify,
              {Op::OpIsNan, Op::OpIsInf, Op::OpIsFinite, Op::OpIsNormal, Op::OpSignBitSet});
  readers.add(logical, {Op::OpLogicalAnd, Op::OpLogicalOr, Op::OpLogicalNot, Op::OpLogicalEqual,
                        Op::OpLogicalNotEqual});
  readers.add(any_or_all, {Op::OpAny, Op::OpAll});
  readers.add(select, {Op::OpSelect});
  readers.add(compare_pointers, {Op::OpPtrEqual, Op::OpPtrNotEqual, Op::OpPtrDiff});
}

} // namespace heddle::compiler::spirv
