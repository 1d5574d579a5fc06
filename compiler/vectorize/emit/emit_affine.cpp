// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform and affine values: scalar code, for lane 0.
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/emit/emit_values.h"

namespace heddle::compiler {
namespace {

// Whether the flags of a sum or product tell that the extended result is that of the extended
// operands, in active lanes. A check of the group does not: it tells that lanes do not wrap around
// against each other, but all may have wrapped around together; and any may have in groups that
// fail the check, which run lane by lane.
bool keeps_extension(const llvm::Instruction& operation, bool is_signed) {
  return is_signed ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap();
}

} // namespace

void ValueEmitter::emit_uniform(const llvm::Instruction& instruction) {
  auto& wide = define(instruction, VectorValue::Kind::uniform);
  const auto step = row_stride(instruction);
  llvm::SmallVector<llvm::Value*, 4> made;
  const auto rows = values_.row_count(instruction);
  // What is the same in all rows is wanted by one that has an active lane.
  const bool is_access_of_row = rows > 1 && llvm::isa<llvm::LoadInst>(instruction);
  for (unsigned row = 0; row < rows; ++row)
    made.push_back(row != 0 && step   ? add_row_offset(made[0], *step * row)
                   : is_access_of_row ? clone_access(instruction, row)
                                      : clone_scalar(instruction, row));
  if (step && made.size() > 1)
    if (auto* first = llvm::dyn_cast<llvm::Instruction>(made[0]))
      first->dropPoisonGeneratingFlags();
  // What holds for the ids of active lanes need not hold for that of lane 0 (AlignedId).
  const bool is_of_id = llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) {
    return !shapes_.is_uniform(*operand);
  });
  for (unsigned row = 0; row < made.size(); ++row) {
    if (auto* copy = llvm::dyn_cast<llvm::Instruction>(made[row]); is_of_id && copy != nullptr)
      copy->dropPoisonGeneratingFlags();
    wide.at(row) = made[row];
  }
}

// The constant difference between one row's value and the next one's, modulo 2^bits; nullopt: it is
// not known to be constant. The values of further rows are then computed from the first one's, so
// that equal indices of different rows have equal expressions.
std::optional<std::int64_t> ValueEmitter::row_stride(const llvm::Value& value) {
  if (!shapes_.differs_by_row(value))
    return 0;
  if (&value == work_item_params(kernel_).local_id[1])
    return 1;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || !instruction->getType()->isIntegerTy())
    return std::nullopt;
  if (const auto known = row_strides_.find(instruction); known != row_strides_.end())
    return known->second;
  std::optional<std::int64_t> step;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Trunc:
    step = row_stride(*instruction->getOperand(0));
    break;
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
    if (const auto a = row_stride(*instruction->getOperand(0)))
      if (const auto b = row_stride(*instruction->getOperand(1)))
        step = instruction->getOpcode() == llvm::Instruction::Add ? *a + *b : *a - *b;
    break;
  default:
    break;
  }
  row_strides_[instruction] = step;
  return step;
}

llvm::Value* ValueEmitter::add_row_offset(llvm::Value* first, std::int64_t distance) {
  return builder_.CreateAdd(first, llvm::ConstantInt::getSigned(first->getType(), distance, true));
}

// The value that lane 0 of ext(value) must have for the active lanes to follow by the stride: exact
// even if lane 0 is inactive and wraps in the narrow type.
llvm::Value* ValueEmitter::extend_lane_0(const llvm::Value& value, bool is_signed, llvm::Type* type,
                                         unsigned row, unsigned depth) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const auto stride = shapes_.stride(value);
  if (instruction != nullptr && stride && *stride != 0 && depth < 16) {
    const auto part = [&](unsigned i) {
      return extend_lane_0(*instruction->getOperand(i), is_signed, type, row, depth + 1);
    };
    if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction) &&
        !keeps_extension(*instruction, is_signed))
      return builder_.CreateIntCast(scalar(value, row), type, is_signed);
    switch (instruction->getOpcode()) {
    case llvm::Instruction::Add:
      return builder_.CreateAdd(part(0), part(1));
    case llvm::Instruction::Or: // disjoint
      return builder_.CreateAdd(part(0), part(1));
    case llvm::Instruction::Sub:
      return builder_.CreateSub(part(0), part(1));
    case llvm::Instruction::Mul:
      return builder_.CreateMul(part(0), part(1));
    case llvm::Instruction::Shl:
      return builder_.CreateShl(
          part(0), builder_.CreateZExt(scalar(*instruction->getOperand(1), row), type));
    case llvm::Instruction::Trunc:
      // The operand has the same value, in active lanes.
      if (const auto* trunc = llvm::cast<llvm::TruncInst>(instruction);
          is_signed ? trunc->hasNoSignedWrap() : trunc->hasNoUnsignedWrap())
        return builder_.CreateIntCast(scalar(*instruction->getOperand(0), row), type, is_signed);
      break;
    default:
      break;
    }
  }
  return builder_.CreateIntCast(scalar(value, row), type, is_signed);
}

void ValueEmitter::emit_affine(const llvm::Instruction& instruction) {
  define(instruction, VectorValue::Kind::affine);
  const auto step = row_stride(instruction);
  for (unsigned row = 0; row < values_.row_count(instruction); ++row) {
    llvm::Value* made = nullptr;
    if (row != 0 && step) {
      made = add_row_offset(values_[instruction].at(0), *step * row);
    } else if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction)) {
      made = extend_lane_0(*instruction.getOperand(0), shapes_.extends_as_signed(instruction),
                           instruction.getType(), row);
    } else if (instruction.isShift() && instruction.getOpcode() != llvm::Instruction::Shl) {
      // The intermediate value has no stride.
      const auto value = *narrowed_value(instruction);
      auto* inner = builder_.CreateAdd(scalar(*value.value, row), builder_.getInt64(value.added));
      auto* left = builder_.CreateShl(inner, 64 - value.bits);
      const auto right = 64 - value.bits - value.shift;
      made = instruction.getOpcode() == llvm::Instruction::AShr ? builder_.CreateAShr(left, right)
                                                                : builder_.CreateLShr(left, right);
    } else {
      auto* copy = clone_scalar(instruction, row);
      // Lane 0 may be inactive, and the flags hold for active lanes only.
      copy->dropPoisonGeneratingFlags();
      made = copy;
    }
    values_[instruction].at(row) = made;
  }
}

} // namespace heddle::compiler
