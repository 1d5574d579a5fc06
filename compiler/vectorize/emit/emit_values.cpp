// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise instructions.
#include "compiler/vectorize/emit/emit_values.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/emit/ascending_bound.h"

namespace heddle::compiler {

void ValueEmitter::emit(const llvm::Instruction& instruction) {
  if (shapes_.is_uniform(instruction))
    return emit_uniform(instruction);
  if (shapes_.stride(instruction))
    return emit_affine(instruction);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return emit_gep(*address);
  if (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction))
    return emit_bitcast(*cast);
  if (llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst,
                llvm::ExtractValueInst, llvm::InsertValueInst>(instruction))
    return emit_component_access(instruction);
  emit_elementwise(instruction);
}

llvm::Value* ValueEmitter::widen_elementwise(const llvm::Instruction& instruction, unsigned row,
                                             unsigned component) {
  const auto operand = [&](unsigned i) {
    return lanes(*instruction.getOperand(i), row, component);
  };
  llvm::Value* made = nullptr;
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    made = builder_.CreateBinOp(operation->getOpcode(), operand(0), operand(1));
  } else if (auto* by_count = compare_by_lane_count(instruction, row)) {
    return by_count;
  } else if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    made = builder_.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    made = builder_.CreateCast(cast->getOpcode(), operand(0),
                               widened(component_type(cast->getType(), component)));
  } else if (llvm::isa<llvm::SelectInst>(instruction)) {
    const auto& condition = *instruction.getOperand(0);
    const bool is_vector = condition.getType()->isVectorTy();
    auto* chosen = shapes_.is_uniform(condition) && !is_vector
                       ? scalar(condition, row)
                       : lanes(condition, row, is_vector ? component : 0);
    made = builder_.CreateSelect(chosen, operand(1), operand(2));
  } else if (instruction.getOpcode() == llvm::Instruction::FNeg) {
    made = builder_.CreateFNeg(operand(0));
  } else {
    made = builder_.CreateFreeze(operand(0));
  }
  if (auto* result = llvm::dyn_cast<llvm::Instruction>(made)) {
    result->copyIRFlags(&instruction);
    result->copyMetadata(instruction, {llvm::LLVMContext::MD_fpmath});
  }
  return made;
}

// A comparison of an ascending 64-bit id with a uniform bound, which holds (or not) for the first n
// lanes: n is computed on scalars and compared with the lane numbers in 32 bits, since a register
// holds few 64-bit elements. Null: the comparison is not of this kind.
llvm::Value* ValueEmitter::compare_by_lane_count(const llvm::Instruction& instruction,
                                                 unsigned row) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  if (compare == nullptr || !compare->getOperand(0)->getType()->isIntegerTy(64))
    return nullptr;
  const auto found = ascending_bound(*compare, true, shapes_, kernel_);
  // Facts about other affine values hold for active lanes only, and lane 0 may be inactive.
  if (!found || llvm::ICmpInst::isEquality(found->predicate) ||
      llvm::ICmpInst::isSigned(found->predicate) ||
      !is_plain_id(*found->number, work_item_params(kernel_)))
    return nullptr;
  auto* type = builder_.getInt64Ty();
  auto* first = scalar(*found->number, row);
  auto* limit = scalar(*found->limit, row);
  const bool is_below = found->is_below();
  const auto predicate =
      is_below ? found->predicate : llvm::ICmpInst::getInversePredicate(found->predicate);
  const bool is_inclusive = llvm::ICmpInst::isLE(predicate);
  auto* distance = builder_.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin, builder_.CreateSub(limit, first),
      llvm::ConstantInt::get(type, is_inclusive ? plan_.width - 1 : plan_.width));
  if (is_inclusive)
    distance = builder_.CreateAdd(distance, builder_.getInt64(1));
  auto* count = builder_.CreateSelect(builder_.CreateICmp(predicate, first, limit), distance,
                                      builder_.getInt64(0), "below");
  auto* lane_numbers = values_.strided_lanes(builder_.getInt32(0), 1);
  auto* counts = splat(builder_.CreateTrunc(count, builder_.getInt32Ty()));
  return is_below ? builder_.CreateICmpULT(lane_numbers, counts)
                  : builder_.CreateICmpUGE(lane_numbers, counts);
}

void ValueEmitter::emit_elementwise(const llvm::Instruction& instruction) {
  if (instruction.isIntDivRem())
    return emit_division(llvm::cast<llvm::BinaryOperator>(instruction));
  auto wide = define(instruction, VectorValue::Kind::lanes);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row)
    for (unsigned c = 0; c < wide.components; ++c)
      wide.at(row, c) = widen_elementwise(instruction, row, c);
  values_[instruction] = std::move(wide);
}

void ValueEmitter::emit_division(const llvm::BinaryOperator& division) {
  auto wide = define(division, VectorValue::Kind::lanes);
  if (plan_.rows > 1)
    wide.by_row = true;
  const auto rows = wide.by_row ? plan_.rows : 1;
  wide.parts.assign(rows * wide.components, nullptr);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned c = 0; c < wide.components; ++c) {
      auto* dividend = lanes(*division.getOperand(0), row, c);
      auto* divisor = lanes(*division.getOperand(1), row, c);
      wide.at(row, c) = llvm::isa<llvm::Constant>(division.getOperand(1))
                            ? builder_.CreateBinOp(division.getOpcode(), dividend, divisor)
                            : divide(division, dividend, divisor);
    }
  values_[division] = std::move(wide);
}

// A division whose divisor may be zero in inactive lanes, which must not trap. Divisors that are
// known not to be zero are no exception: that may hold for active lanes only.
llvm::Value* ValueEmitter::divide(const llvm::BinaryOperator& division, llvm::Value* dividend,
                                  llvm::Value* divisor) {
  const auto opcode = division.getOpcode();
  const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  const auto bits = division.getType()->getScalarSizeInBits();
  auto* type = dividend->getType();
  auto* zero = llvm::Constant::getNullValue(type);
  auto* one = llvm::ConstantInt::get(type, 1);
  divisor = builder_.CreateFreeze(divisor);
  divisor = builder_.CreateSelect(builder_.CreateICmpEQ(divisor, zero), one, divisor);
  if (bits <= 32)
    return divide_as_real(division, dividend, divisor);
  if (is_signed) {
    dividend = builder_.CreateFreeze(dividend);
    auto* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
    auto* is_least = builder_.CreateICmpEQ(dividend, least);
    auto* overflows = builder_.CreateAnd(
        is_least, builder_.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
    divisor = builder_.CreateSelect(overflows, one, divisor);
  }
  remark(division, "scalar divisions", "CPUs have no vector division of 64-bit integers");
  return builder_.CreateBinOp(opcode, dividend, divisor);
}

// CPUs have no vector division of integers. Up to 32 bits the truncated quotient of doubles is
// exact, up to 16 bits that of floats.
llvm::Value* ValueEmitter::divide_as_real(const llvm::BinaryOperator& division,
                                          llvm::Value* dividend, llvm::Value* divisor) {
  const auto opcode = division.getOpcode();
  const bool is_signed = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem;
  const bool is_remainder = opcode == llvm::Instruction::URem || opcode == llvm::Instruction::SRem;
  auto* type = dividend->getType();
  dividend = builder_.CreateFreeze(dividend);
  auto* real =
      widened(type->getScalarSizeInBits() <= 16 ? builder_.getFloatTy() : builder_.getDoubleTy());
  const auto convert = [&](llvm::Value* value) {
    return is_signed ? builder_.CreateSIToFP(value, real) : builder_.CreateUIToFP(value, real);
  };
  auto* real_dividend = convert(dividend);
  auto* quotient = builder_.CreateFDiv(real_dividend, convert(divisor));
  // INT_MIN / -1 overflows; its value is unspecified, but it must not be poison.
  auto* truncated = is_signed ? builder_.CreateFreeze(builder_.CreateFPToSI(quotient, type))
                              : builder_.CreateFPToUI(quotient, type);
  return is_remainder ? builder_.CreateSub(dividend, builder_.CreateMul(truncated, divisor))
                      : truncated;
}

void ValueEmitter::emit_gep(const llvm::GetElementPtrInst& address) {
  auto wide = define(address, VectorValue::Kind::lanes);
  for (unsigned row = 0; row < (wide.by_row ? plan_.rows : 1); ++row) {
    const auto operand = [&](const llvm::Value& value) {
      return shapes_.is_uniform(value) ? scalar(value, row) : lanes(value, row);
    };
    llvm::SmallVector<llvm::Value*, 4> indices;
    for (const auto& index : address.indices())
      indices.push_back(operand(*index));
    // Not inbounds: addresses of inactive lanes may be out of bounds.
    wide.at(row) = builder_.CreateGEP(address.getSourceElementType(),
                                      operand(*address.getPointerOperand()), indices);
  }
  values_[address] = std::move(wide);
}

} // namespace heddle::compiler
