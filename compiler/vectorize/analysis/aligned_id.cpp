// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/aligned_id.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMinBits = 8; // hold any width's lower bits

// Whether the comparison with `number` has the same result for all numbers that differ in these
// lower bits.
bool ignores_lower_bits(llvm::ICmpInst::Predicate predicate, const llvm::APInt& number,
                        unsigned lower_bits) {
  if (llvm::ICmpInst::isEquality(predicate))
    return false;
  // The smallest number with another result than the one before ends with zeros.
  const bool is_above = llvm::ICmpInst::isLE(predicate) || llvm::ICmpInst::isGT(predicate);
  return (is_above ? number.countr_one() : number.countr_zero()) >= lower_bits;
}

} // namespace

// Whether the value is the id modulo a power of two, plus a multiple of the width.
bool AlignedId::is_aligned(const llvm::Value& value) const {
  if (&value == id_)
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || !value.getType()->isIntegerTy() ||
      value.getType()->getIntegerBitWidth() < kMinBits)
    return false;
  if (instruction->getOpcode() == llvm::Instruction::Trunc)
    return is_aligned(*instruction->getOperand(0));
  if (instruction->getOpcode() != llvm::Instruction::Add)
    return false;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
  return constant != nullptr && constant->getValue().countr_zero() >= llvm::Log2_32(width_) &&
         is_aligned(*instruction->getOperand(0));
}

bool AlignedId::decides_by_upper_bits(const llvm::Instruction& instruction) const {
  if (id_ == nullptr || instruction.getNumOperands() != 2 ||
      !is_aligned(*instruction.getOperand(0)))
    return false;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (constant == nullptr)
    return false;
  const auto& number = constant->getValue();
  const auto lower_bits = llvm::Log2_32(width_);
  switch (instruction.getOpcode()) {
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return number.uge(lower_bits);
  case llvm::Instruction::And:
    return number.countr_zero() >= lower_bits;
  case llvm::Instruction::ICmp:
    return ignores_lower_bits(llvm::cast<llvm::ICmpInst>(instruction).getPredicate(), number,
                              lower_bits);
  default:
    return false;
  }
}

bool AlignedId::keeps_lower_bits(const llvm::Instruction& instruction) const {
  if (id_ == nullptr || instruction.getOpcode() != llvm::Instruction::And ||
      !is_aligned(*instruction.getOperand(0)))
    return false;
  const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  return mask != nullptr && mask->getValue().countr_one() >= llvm::Log2_32(width_);
}

} // namespace heddle::compiler
