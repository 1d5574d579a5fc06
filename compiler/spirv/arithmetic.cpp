// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers: arithmetic, bits and dot products.
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

} // namespace

void Translator::require_floats(const llvm::Type* type) const {
  require(type->isFPOrFPVectorTy(), "the operands are floating-point");
}

llvm::Value* Translator::with_no_wrap(Word number, llvm::Value* value) {
  if (odd_bits_of(number) != 0)
    return value;
  if (auto* made = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value))
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made)) {
      if (is_decorated(number, spv::Decoration::NoSignedWrap))
        instruction->setHasNoSignedWrap();
      if (is_decorated(number, spv::Decoration::NoUnsignedWrap))
        instruction->setHasNoUnsignedWrap();
    }
  return value;
}

void Translator::binary(const Instruction& instruction, llvm::Instruction::BinaryOps op) {
  const auto& result = result_type(instruction);
  const bool is_float = op == llvm::Instruction::FAdd || op == llvm::Instruction::FSub ||
                        op == llvm::Instruction::FMul || op == llvm::Instruction::FDiv ||
                        op == llvm::Instruction::FRem;
  require(is_float ? result.llvm->isFPOrFPVectorTy()
                   : result.llvm->isIntOrIntVectorTy() && !result.llvm->isIntOrIntVectorTy(1),
          "the result is of numbers of the operation's kind");
  auto* left = value_of(instruction[3], result.llvm, "the first operand");
  llvm::Value* right = nullptr;
  if (op == llvm::Instruction::Shl || op == llvm::Instruction::LShr ||
      op == llvm::Instruction::AShr) {
    right = value(instruction[4]);
    require(right->getType()->isIntOrIntVectorTy() && !right->getType()->isIntOrIntVectorTy(1),
            "the shift is an integer");
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result.llvm);
    const auto* shifts = llvm::dyn_cast<llvm::FixedVectorType>(right->getType());
    require((vector == nullptr) == (shifts == nullptr) &&
                (vector == nullptr || vector->getNumElements() == shifts->getNumElements()),
            "there is a shift for each component");
    if (right->getType() != result.llvm)
      right = builder_.CreateZExtOrTrunc(right, result.llvm);
  } else {
    right = value_of(instruction[4], result.llvm, "the second operand");
  }
  if (is_float) {
    set_fast_math(instruction[2]);
    if (op == llvm::Instruction::FRem && !llvm::isa<llvm::Constant>(left)) {
      define_result(instruction, call_builtin("fmod", result.llvm,
                                              {argument(left, Sign::is_signed),
                                               argument(right, Sign::is_signed)}));
      return;
    }
  }
  if (op == llvm::Instruction::SDiv || op == llvm::Instruction::SRem) {
    left = with_sign(instruction[3], left);
    right = with_sign(instruction[4], right);
  } else if (op == llvm::Instruction::AShr) {
    left = with_sign(instruction[3], left);
  }
  auto* made = builder_.CreateBinOp(op, left, right);
  if (op == llvm::Instruction::FDiv && result.llvm->getScalarType()->isFloatTy() &&
      llvm::isa<llvm::Instruction>(made) && divides_roughly_)
    llvm::cast<llvm::Instruction>(made)->setMetadata(
        llvm::LLVMContext::MD_fpmath,
        llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(
                                        llvm::ConstantFP::get(builder_.getFloatTy(), 2.5))));
  define_result(instruction, with_no_wrap(instruction[2], made));
}

void Translator::negate(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  auto* operand = value_of(instruction[3], result.llvm, "the operand");
  if (instruction.op == Op::OpFNegate) {
    require_floats(result.llvm);
    set_fast_math(instruction[2]);
    define_result(instruction, builder_.CreateFNeg(operand));
    return;
  }
  require(result.llvm->isIntOrIntVectorTy() && !result.llvm->isIntOrIntVectorTy(1),
          "the operand is of integers");
  define_result(instruction, instruction.op == Op::OpNot
                                 ? builder_.CreateNot(operand)
                                 : with_no_wrap(instruction[2], builder_.CreateNeg(operand)));
}

// OpSMod and OpFMod: the result has the sign of the divisor.
void Translator::modulo(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  auto* left = value_of(instruction[3], result.llvm, "the first operand");
  auto* right = value_of(instruction[4], result.llvm, "the second operand");
  auto* zero = llvm::Constant::getNullValue(result.llvm);
  if (instruction.op == Op::OpSMod) {
    require(result.llvm->isIntOrIntVectorTy() && !result.llvm->isIntOrIntVectorTy(1),
            "the operands are integers");
    left = with_sign(instruction[3], left);
    right = with_sign(instruction[4], right);
    auto* remainder = builder_.CreateSRem(left, right);
    auto* differs = builder_.CreateICmpSLT(builder_.CreateXor(remainder, right), zero);
    auto* fix = builder_.CreateAnd(builder_.CreateICmpNE(remainder, zero), differs);
    define_result(instruction,
                  builder_.CreateSelect(fix, builder_.CreateAdd(remainder, right), remainder));
    return;
  }
  require_floats(result.llvm);
  llvm::Value* remainder = nullptr;
  if (llvm::isa<llvm::Constant>(left) && llvm::isa<llvm::Constant>(right))
    remainder = builder_.CreateFRem(left, right);
  else
    remainder = call_builtin("fmod", result.llvm,
                             {argument(left, Sign::is_signed), argument(right, Sign::is_signed)});
  builder_.clearFastMathFlags();
  auto* differs = builder_.CreateICmpNE(builder_.CreateFCmpOLT(remainder, zero),
                                        builder_.CreateFCmpOLT(right, zero));
  auto* fix = builder_.CreateAnd(builder_.CreateFCmpONE(remainder, zero), differs);
  define_result(instruction,
                builder_.CreateSelect(fix, builder_.CreateFAdd(remainder, right), remainder));
}

// A pair of a low part and a carry, borrow or high part.
void Translator::extended_arithmetic(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  require(result.op == Op::OpTypeStruct && result.members.size() == 2 &&
              result.members[0] == result.members[1],
          "the result is a structure of two equal members");
  auto* part = type(result.members[0]).llvm;
  require(part->isIntOrIntVectorTy() && !part->isIntOrIntVectorTy(1), "the members are integers");
  auto* left = value_of(instruction[3], part, "the first operand");
  auto* right = value_of(instruction[4], part, "the second operand");
  llvm::Value* low = nullptr;
  llvm::Value* high = nullptr;
  switch (instruction.op) {
  case Op::OpIAddCarry:
    low = builder_.CreateAdd(left, right);
    high = builder_.CreateZExt(builder_.CreateICmpULT(low, left), part);
    break;
  case Op::OpISubBorrow:
    low = builder_.CreateSub(left, right);
    high = builder_.CreateZExt(builder_.CreateICmpULT(left, right), part);
    break;
  default: {
    const auto sign = instruction.op == Op::OpSMulExtended ? Sign::is_signed : Sign::is_unsigned;
    low = builder_.CreateMul(left, right);
    high = call_builtin("mul_hi", part, {argument(left, sign), argument(right, sign)});
    break;
  }
  }
  llvm::Value* pair = llvm::PoisonValue::get(result.llvm);
  pair = builder_.CreateInsertValue(pair, low, 0);
  define_result(instruction, builder_.CreateInsertValue(pair, high, 1));
}

// OpDot and OpVectorTimesScalar.
void Translator::dot(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  require_floats(result.llvm);
  set_fast_math(instruction[2]);
  if (instruction.op == Op::OpVectorTimesScalar) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result.llvm);
    require(vector != nullptr && vector->isFPOrFPVectorTy(),
            "the result is a floating-point vector");
    auto* left = value_of(instruction[3], vector, "the vector");
    auto* right = value_of(instruction[4], vector->getElementType(), "the scalar");
    define_result(instruction, builder_.CreateFMul(left, builder_.CreateVectorSplat(
                                                             vector->getNumElements(), right)));
    return;
  }
  require(result.op == Op::OpTypeFloat, "the result is floating-point");
  auto* left = value(instruction[3]);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(left->getType());
  require(vector != nullptr && vector->getElementType() == result.llvm,
          "the operands are vectors of the result's type");
  auto* right = value_of(instruction[4], vector, "the second operand");
  if (vector->getNumElements() <= 4) {
    define_result(instruction, call_builtin("dot", result.llvm,
                                            {argument(left, Sign::is_signed),
                                             argument(right, Sign::is_signed)}));
    return;
  }
  auto* products = builder_.CreateFMul(left, right);
  auto* sum = builder_.CreateExtractElement(products, std::uint64_t{0});
  for (unsigned i = 1; i < vector->getNumElements(); ++i)
    sum = builder_.CreateFAdd(sum, builder_.CreateExtractElement(products, i));
  define_result(instruction, sum);
}

void Translator::bits(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  auto* first = value(instruction[3]);
  auto* given = first->getType();
  require(result.llvm->isIntOrIntVectorTy() && !result.llvm->isIntOrIntVectorTy(1) &&
              given->isIntOrIntVectorTy() && !given->isIntOrIntVectorTy(1),
          "the operands are integers");
  if (instruction.op == Op::OpBitCount) {
    require(given->isVectorTy() == result.llvm->isVectorTy() &&
                (!given->isVectorTy() ||
                 llvm::cast<llvm::FixedVectorType>(given)->getNumElements() ==
                     llvm::cast<llvm::FixedVectorType>(result.llvm)->getNumElements()),
            "the result has as many components as the operand");
    auto* counted = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, first);
    define_result(instruction, builder_.CreateZExtOrTrunc(counted, result.llvm));
    return;
  }
  require(given == result.llvm, "the result has the operand's type");
  const auto number = [&](unsigned index) {
    return builder_.CreateZExtOrTrunc(integer(instruction[index], "an offset or count"),
                                      builder_.getInt32Ty());
  };
  const auto u32 = mangled(builder_.getInt32Ty(), Sign::is_unsigned);
  switch (instruction.op) {
  case Op::OpBitReverse:
    define_result(instruction,
                  call_builtin("bit_reverse", given, {argument(first, Sign::is_unsigned)}));
    break;
  case Op::OpBitFieldInsert: {
    auto* inserted = value_of(instruction[4], given, "what is inserted");
    define_result(instruction, call_builtin("bitfield_insert", given,
                                            {argument(first, Sign::is_unsigned),
                                             argument(inserted, Sign::is_unsigned),
                                             {number(5), u32},
                                             {number(6), u32}}));
    break;
  }
  default: {
    const bool is_signed = instruction.op == Op::OpBitFieldSExtract;
    define_result(instruction,
                  call_builtin(is_signed ? "bitfield_extract_signed" : "bitfield_extract_unsigned",
                               given,
                               {argument(first, is_signed ? Sign::is_signed : Sign::is_unsigned),
                                {number(4), u32},
                                {number(5), u32}}));
    break;
  }
  }
}

// Op[SU]Dot and Op[SU]DotAccSat of SPV_KHR_integer_dot_product, component by component.
void Translator::integer_dot(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  require(result.op == Op::OpTypeInt, "the result is an integer");
  const bool accumulates = instruction.op == Op::OpSDotAccSat ||
                           instruction.op == Op::OpUDotAccSat ||
                           instruction.op == Op::OpSUDotAccSat;
  const bool is_unsigned = instruction.op == Op::OpUDot || instruction.op == Op::OpUDotAccSat;
  const bool is_mixed = instruction.op == Op::OpSUDot || instruction.op == Op::OpSUDotAccSat;
  auto* left = value(instruction[3]);
  auto* right = value(instruction[4]);
  const std::size_t format = accumulates ? 6 : 5;
  if (left->getType()->isIntegerTy(32)) {
    require(right->getType()->isIntegerTy(32), "both operands are packed");
    require(instruction.size() > format && instruction[format] == 0,
            "packed vectors have the format of four 8-bit components");
    auto* four = llvm::FixedVectorType::get(builder_.getInt8Ty(), 4);
    left = builder_.CreateBitCast(left, four);
    right = builder_.CreateBitCast(right, four);
  }
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(left->getType());
  require(vector != nullptr && vector == right->getType() && vector->isIntOrIntVectorTy() &&
              !vector->isIntOrIntVectorTy(1),
          "the operands are vectors of the same integers");
  require(vector->getScalarSizeInBits() <= result.llvm->getIntegerBitWidth(),
          "the result is at least as wide as a component");
  if (result.llvm->isIntegerTy(32) && vector->getNumElements() == 4 &&
      vector->getScalarSizeInBits() == 8) { // the library knows the CPU's instruction
    llvm::SmallVector<Argument, 3> arguments = {
        argument(left, is_unsigned ? Sign::is_unsigned : Sign::is_signed),
        argument(right, is_unsigned || is_mixed ? Sign::is_unsigned : Sign::is_signed)};
    if (accumulates)
      arguments.push_back(argument(value_of(instruction[5], result.llvm, "the accumulator"),
                                   is_unsigned ? Sign::is_unsigned : Sign::is_signed));
    define_result(instruction,
                  call_builtin(accumulates ? "dot_acc_sat" : "dot", result.llvm, arguments));
    return;
  }
  auto* wide = llvm::FixedVectorType::get(result.llvm, vector->getNumElements());
  left = is_unsigned ? builder_.CreateZExt(left, wide) : builder_.CreateSExt(left, wide);
  right =
      is_unsigned || is_mixed ? builder_.CreateZExt(right, wide) : builder_.CreateSExt(right, wide);
  auto* products = builder_.CreateMul(left, right);
  auto* sum = builder_.CreateExtractElement(products, std::uint64_t{0});
  for (unsigned i = 1; i < vector->getNumElements(); ++i)
    sum = builder_.CreateAdd(sum, builder_.CreateExtractElement(products, i));
  if (accumulates) {
    const auto sign = is_unsigned ? Sign::is_unsigned : Sign::is_signed;
    auto* accumulator = value_of(instruction[5], result.llvm, "the accumulator");
    sum = call_builtin("add_sat", result.llvm, {argument(sum, sign), argument(accumulator, sign)});
  }
  define_result(instruction, sum);
}

} // namespace heddle::compiler::spirv
