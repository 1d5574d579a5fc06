// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers: arithmetic, bits and dot products.
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

llvm::Value* with_no_wrap(Translation& t, Word number, llvm::Value* value) {
  if (t.odd_bits_of(number) != 0)
    return value;
  if (auto* made = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value))
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made)) {
      if (t.is_decorated(number, spv::Decoration::NoSignedWrap))
        instruction->setHasNoSignedWrap();
      if (t.is_decorated(number, spv::Decoration::NoUnsignedWrap))
        instruction->setHasNoUnsignedWrap();
    }
  return value;
}

void binary(Translation& t, const Instruction& instruction, llvm::Instruction::BinaryOps op) {
  const auto& result = t.result_type(instruction);
  const bool is_float = op == llvm::Instruction::FAdd || op == llvm::Instruction::FSub ||
                        op == llvm::Instruction::FMul || op == llvm::Instruction::FDiv ||
                        op == llvm::Instruction::FRem;
  t.require(is_float ? result.llvm->isFPOrFPVectorTy()
                     : result.llvm->isIntOrIntVectorTy() && !result.llvm->isIntOrIntVectorTy(1),
            "the result is of numbers of the operation's kind");
  auto* left = t.value_of(instruction[3], result.llvm, "the first operand");
  llvm::Value* right = nullptr;
  if (op == llvm::Instruction::Shl || op == llvm::Instruction::LShr ||
      op == llvm::Instruction::AShr) {
    right = t.value(instruction[4]);
    t.require(right->getType()->isIntOrIntVectorTy() && !right->getType()->isIntOrIntVectorTy(1),
              "the shift is an integer");
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result.llvm);
    const auto* shifts = llvm::dyn_cast<llvm::FixedVectorType>(right->getType());
    t.require((vector == nullptr) == (shifts == nullptr) &&
                  (vector == nullptr || vector->getNumElements() == shifts->getNumElements()),
              "there is a shift for each component");
    if (right->getType() != result.llvm)
      right = t.builder.CreateZExtOrTrunc(right, result.llvm);
  } else {
    right = t.value_of(instruction[4], result.llvm, "the second operand");
  }
  if (is_float) {
    t.set_fast_math(instruction[2]);
    if (op == llvm::Instruction::FRem && !llvm::isa<llvm::Constant>(left)) {
      t.define_result(instruction, t.call_builtin("fmod", result.llvm,
                                                  {t.argument(left, Sign::is_signed),
                                                   t.argument(right, Sign::is_signed)}));
      return;
    }
  }
  if (op == llvm::Instruction::SDiv || op == llvm::Instruction::SRem) {
    left = t.with_sign(instruction[3], left);
    right = t.with_sign(instruction[4], right);
  } else if (op == llvm::Instruction::AShr) {
    left = t.with_sign(instruction[3], left);
  }
  auto* made = t.builder.CreateBinOp(op, left, right);
  if (op == llvm::Instruction::FDiv && result.llvm->getScalarType()->isFloatTy() &&
      llvm::isa<llvm::Instruction>(made) && t.divides_roughly)
    llvm::cast<llvm::Instruction>(made)->setMetadata(
        llvm::LLVMContext::MD_fpmath,
        llvm::MDNode::get(t.context, llvm::ConstantAsMetadata::get(
                                         llvm::ConstantFP::get(t.builder.getFloatTy(), 2.5))));
  t.define_result(instruction, with_no_wrap(t, instruction[2], made));
}

void negate(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  auto* operand = t.value_of(instruction[3], result.llvm, "the operand");
  if (instruction.op == Op::OpFNegate) {
    require_floats(t, result.llvm);
    t.set_fast_math(instruction[2]);
    t.define_result(instruction, t.builder.CreateFNeg(operand));
    return;
  }
  t.require(result.llvm->isIntOrIntVectorTy() && !result.llvm->isIntOrIntVectorTy(1),
            "the operand is of integers");
  t.define_result(instruction, instruction.op == Op::OpNot
                                   ? t.builder.CreateNot(operand)
                                   : with_no_wrap(t, instruction[2], t.builder.CreateNeg(operand)));
}

// OpSMod and OpFMod: the result has the sign of the divisor.
void modulo(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  auto* left = t.value_of(instruction[3], result.llvm, "the first operand");
  auto* right = t.value_of(instruction[4], result.llvm, "the second operand");
  auto* zero = llvm::Constant::getNullValue(result.llvm);
  if (instruction.op == Op::OpSMod) {
    t.require(result.llvm->isIntOrIntVectorTy() && !result.llvm->isIntOrIntVectorTy(1),
              "the operands are integers");
    left = t.with_sign(instruction[3], left);
    right = t.with_sign(instruction[4], right);
    auto* remainder = t.builder.CreateSRem(left, right);
    auto* differs = t.builder.CreateICmpSLT(t.builder.CreateXor(remainder, right), zero);
    auto* fix = t.builder.CreateAnd(t.builder.CreateICmpNE(remainder, zero), differs);
    t.define_result(instruction,
                    t.builder.CreateSelect(fix, t.builder.CreateAdd(remainder, right), remainder));
    return;
  }
  require_floats(t, result.llvm);
  llvm::Value* remainder = nullptr;
  if (llvm::isa<llvm::Constant>(left) && llvm::isa<llvm::Constant>(right))
    remainder = t.builder.CreateFRem(left, right);
  else
    remainder =
        t.call_builtin("fmod", result.llvm,
                       {t.argument(left, Sign::is_signed), t.argument(right, Sign::is_signed)});
  t.builder.clearFastMathFlags();
  auto* differs = t.builder.CreateICmpNE(t.builder.CreateFCmpOLT(remainder, zero),
                                         t.builder.CreateFCmpOLT(right, zero));
  auto* fix = t.builder.CreateAnd(t.builder.CreateFCmpONE(remainder, zero), differs);
  t.define_result(instruction,
                  t.builder.CreateSelect(fix, t.builder.CreateFAdd(remainder, right), remainder));
}

// A pair of a low part and a carry, borrow or high part.
void extended_arithmetic(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  t.require(result.op == Op::OpTypeStruct && result.members.size() == 2 &&
                result.members[0] == result.members[1],
            "the result is a structure of two equal members");
  auto* part = t.type(result.members[0]).llvm;
  t.require(part->isIntOrIntVectorTy() && !part->isIntOrIntVectorTy(1), "the members are integers");
  auto* left = t.value_of(instruction[3], part, "the first operand");
  auto* right = t.value_of(instruction[4], part, "the second operand");
  llvm::Value* low = nullptr;
  llvm::Value* high = nullptr;
  switch (instruction.op) {
  case Op::OpIAddCarry:
    low = t.builder.CreateAdd(left, right);
    high = t.builder.CreateZExt(t.builder.CreateICmpULT(low, left), part);
    break;
  case Op::OpISubBorrow:
    low = t.builder.CreateSub(left, right);
    high = t.builder.CreateZExt(t.builder.CreateICmpULT(left, right), part);
    break;
  default: {
    const auto sign = instruction.op == Op::OpSMulExtended ? Sign::is_signed : Sign::is_unsigned;
    low = t.builder.CreateMul(left, right);
    high = t.call_builtin("mul_hi", part, {t.argument(left, sign), t.argument(right, sign)});
    break;
  }
  }
  llvm::Value* pair = llvm::PoisonValue::get(result.llvm);
  pair = t.builder.CreateInsertValue(pair, low, 0);
  t.define_result(instruction, t.builder.CreateInsertValue(pair, high, 1));
}

// OpDot and OpVectorTimesScalar.
void dot(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  require_floats(t, result.llvm);
  t.set_fast_math(instruction[2]);
  if (instruction.op == Op::OpVectorTimesScalar) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result.llvm);
    t.require(vector != nullptr && vector->isFPOrFPVectorTy(),
              "the result is a floating-point vector");
    auto* left = t.value_of(instruction[3], vector, "the vector");
    auto* right = t.value_of(instruction[4], vector->getElementType(), "the scalar");
    t.define_result(instruction, t.builder.CreateFMul(left, t.builder.CreateVectorSplat(
                                                                vector->getNumElements(), right)));
    return;
  }
  t.require(result.op == Op::OpTypeFloat, "the result is floating-point");
  auto* left = t.value(instruction[3]);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(left->getType());
  t.require(vector != nullptr && vector->getElementType() == result.llvm,
            "the operands are vectors of the result's type");
  auto* right = t.value_of(instruction[4], vector, "the second operand");
  if (vector->getNumElements() <= 4) {
    t.define_result(instruction, t.call_builtin("dot", result.llvm,
                                                {t.argument(left, Sign::is_signed),
                                                 t.argument(right, Sign::is_signed)}));
    return;
  }
  auto* products = t.builder.CreateFMul(left, right);
  auto* sum = t.builder.CreateExtractElement(products, std::uint64_t{0});
  for (unsigned i = 1; i < vector->getNumElements(); ++i)
    sum = t.builder.CreateFAdd(sum, t.builder.CreateExtractElement(products, i));
  t.define_result(instruction, sum);
}

void bits(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  auto* first = t.value(instruction[3]);
  auto* given = first->getType();
  t.require(result.llvm->isIntOrIntVectorTy() && !result.llvm->isIntOrIntVectorTy(1) &&
                given->isIntOrIntVectorTy() && !given->isIntOrIntVectorTy(1),
            "the operands are integers");
  if (instruction.op == Op::OpBitCount) {
    t.require(given->isVectorTy() == result.llvm->isVectorTy() &&
                  (!given->isVectorTy() ||
                   llvm::cast<llvm::FixedVectorType>(given)->getNumElements() ==
                       llvm::cast<llvm::FixedVectorType>(result.llvm)->getNumElements()),
              "the result has as many components as the operand");
    auto* counted = t.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, first);
    t.define_result(instruction, t.builder.CreateZExtOrTrunc(counted, result.llvm));
    return;
  }
  t.require(given == result.llvm, "the result has the operand's type");
  const auto number = [&](unsigned index) {
    return t.builder.CreateZExtOrTrunc(t.integer(instruction[index], "an offset or count"),
                                       t.builder.getInt32Ty());
  };
  const auto u32 = t.mangled(t.builder.getInt32Ty(), Sign::is_unsigned);
  switch (instruction.op) {
  case Op::OpBitReverse:
    t.define_result(instruction,
                    t.call_builtin("bit_reverse", given, {t.argument(first, Sign::is_unsigned)}));
    break;
  case Op::OpBitFieldInsert: {
    auto* inserted = t.value_of(instruction[4], given, "what is inserted");
    t.define_result(instruction, t.call_builtin("bitfield_insert", given,
                                                {t.argument(first, Sign::is_unsigned),
                                                 t.argument(inserted, Sign::is_unsigned),
                                                 {number(5), u32},
                                                 {number(6), u32}}));
    break;
  }
  default: {
    const bool is_signed = instruction.op == Op::OpBitFieldSExtract;
    t.define_result(
        instruction,
        t.call_builtin(is_signed ? "bitfield_extract_signed" : "bitfield_extract_unsigned", given,
                       {t.argument(first, is_signed ? Sign::is_signed : Sign::is_unsigned),
                        {number(4), u32},
                        {number(5), u32}}));
    break;
  }
  }
}

// Op[SU]Dot and Op[SU]DotAccSat of SPV_KHR_integer_dot_product, component by component.
void integer_dot(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  t.require(result.op == Op::OpTypeInt, "the result is an integer");
  const bool accumulates = instruction.op == Op::OpSDotAccSat ||
                           instruction.op == Op::OpUDotAccSat ||
                           instruction.op == Op::OpSUDotAccSat;
  const bool is_unsigned = instruction.op == Op::OpUDot || instruction.op == Op::OpUDotAccSat;
  const bool is_mixed = instruction.op == Op::OpSUDot || instruction.op == Op::OpSUDotAccSat;
  auto* left = t.value(instruction[3]);
  auto* right = t.value(instruction[4]);
  const std::size_t format = accumulates ? 6 : 5;
  if (left->getType()->isIntegerTy(32)) {
    t.require(right->getType()->isIntegerTy(32), "both operands are packed");
    t.require(instruction.size() > format && instruction[format] == 0,
              "packed vectors have the format of four 8-bit components");
    auto* four = llvm::FixedVectorType::get(t.builder.getInt8Ty(), 4);
    left = t.builder.CreateBitCast(left, four);
    right = t.builder.CreateBitCast(right, four);
  }
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(left->getType());
  t.require(vector != nullptr && vector == right->getType() && vector->isIntOrIntVectorTy() &&
                !vector->isIntOrIntVectorTy(1),
            "the operands are vectors of the same integers");
  t.require(vector->getScalarSizeInBits() <= result.llvm->getIntegerBitWidth(),
            "the result is at least as wide as a component");
  if (result.llvm->isIntegerTy(32) && vector->getNumElements() == 4 &&
      vector->getScalarSizeInBits() == 8) { // the library knows the CPU's instruction
    llvm::SmallVector<Argument, 3> arguments = {
        t.argument(left, is_unsigned ? Sign::is_unsigned : Sign::is_signed),
        t.argument(right, is_unsigned || is_mixed ? Sign::is_unsigned : Sign::is_signed)};
    if (accumulates)
      arguments.push_back(t.argument(t.value_of(instruction[5], result.llvm, "the accumulator"),
                                     is_unsigned ? Sign::is_unsigned : Sign::is_signed));
    t.define_result(instruction,
                    t.call_builtin(accumulates ? "dot_acc_sat" : "dot", result.llvm, arguments));
    return;
  }
  auto* wide = llvm::FixedVectorType::get(result.llvm, vector->getNumElements());
  left = is_unsigned ? t.builder.CreateZExt(left, wide) : t.builder.CreateSExt(left, wide);
  right = is_unsigned || is_mixed ? t.builder.CreateZExt(right, wide)
                                  : t.builder.CreateSExt(right, wide);
  auto* products = t.builder.CreateMul(left, right);
  auto* sum = t.builder.CreateExtractElement(products, std::uint64_t{0});
  for (unsigned i = 1; i < vector->getNumElements(); ++i)
    sum = t.builder.CreateAdd(sum, t.builder.CreateExtractElement(products, i));
  if (accumulates) {
    const auto sign = is_unsigned ? Sign::is_unsigned : Sign::is_signed;
    auto* accumulator = t.value_of(instruction[5], result.llvm, "the accumulator");
    sum = t.call_builtin("add_sat", result.llvm,
                         {t.argument(sum, sign), t.argument(accumulator, sign)});
  }
  t.define_result(instruction, sum);
}

template <llvm::Instruction::BinaryOps kOperation>
void binary_as(Translation& t, const Instruction& instruction) {
  binary(t, instruction, kOperation);
}

} // namespace

void require_floats(const Translation& t, const llvm::Type* type) {
  t.require(type->isFPOrFPVectorTy(), "the operands are floating-point");
}

void add_arithmetic(Readers& readers) {
  using Binary = llvm::Instruction;
  readers.add(binary_as<Binary::Add>, {Op::OpIAdd});
  readers.add(binary_as<Binary::Sub>, {Op::OpISub});
  readers.add(binary_as<Binary::Mul>, {Op::OpIMul});
  readers.add(binary_as<Binary::UDiv>, {Op::OpUDiv});
  readers.add(binary_as<Binary::SDiv>, {Op::OpSDiv});
  readers.add(binary_as<Binary::URem>, {Op::OpUMod});
  readers.add(binary_as<Binary::SRem>, {Op::OpSRem});
  readers.add(binary_as<Binary::FAdd>, {Op::OpFAdd});
  readers.add(binary_as<Binary::FSub>, {Op::OpFSub});
  readers.add(binary_as<Binary::FMul>, {Op::OpFMul});
  readers.add(binary_as<Binary::FDiv>, {Op::OpFDiv});
  readers.add(binary_as<Binary::FRem>, {Op::OpFRem});
  readers.add(binary_as<Binary::Shl>, {Op::OpShiftLeftLogical});
  readers.add(binary_as<Binary::LShr>, {Op::OpShiftRightLogical});
  readers.add(binary_as<Binary::AShr>, {Op::OpShiftRightArithmetic});
  readers.add(binary_as<Binary::And>, {Op::OpBitwiseAnd});
  readers.add(binary_as<Binary::Or>, {Op::OpBitwiseOr});
  readers.add(binary_as<Binary::Xor>, {Op::OpBitwiseXor});
  readers.add(negate, {Op::OpSNegate, Op::OpFNegate, Op::OpNot});
  readers.add(modulo, {Op::OpSMod, Op::OpFMod});
  readers.add(extended_arithmetic,
              {Op::OpIAddCarry, Op::OpISubBorrow, Op::OpUMulExtended, Op::OpSMulExtended});
  readers.add(dot, {Op::OpDot, Op::OpVectorTimesScalar});
  readers.add(bits, {Op::OpBitCount, Op::OpBitReverse, Op::OpBitFieldInsert, Op::OpBitFieldSExtract,
                     Op::OpBitFieldUExtract});
  readers.add(integer_dot, {Op::OpSDot, Op::OpUDot, Op::OpSUDot, Op::OpSDotAccSat, Op::OpUDotAccSat,
                            Op::OpSUDotAccSat});
}

} // namespace heddle::compiler::spirv
