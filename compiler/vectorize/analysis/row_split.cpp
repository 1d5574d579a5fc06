// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/row_split.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {

// Whether the condition is false where the divisor is positive and the number not negative.
static bool is_false_if_positive(const llvm::Value& condition, const llvm::Value& number,
                                 const llvm::Value& divisor) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* constant = nullptr;
  const llvm::Value *a = nullptr, *b = nullptr;
  const auto is_false = [&](const llvm::Value& part) {
    return is_false_if_positive(part, number, divisor);
  };
  if (match(&condition,
            m_SpecificICmp(llvm::ICmpInst::ICMP_EQ, m_Specific(&divisor), m_APInt(constant))))
    return !constant->isStrictlyPositive();
  if (match(&condition,
            m_SpecificICmp(llvm::ICmpInst::ICMP_EQ, m_Specific(&number), m_APInt(constant))))
    return constant->isNegative();
  if (match(&condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return is_false(*a) && is_false(*b);
  return match(&condition, m_LogicalAnd(m_Value(a), m_Value(b))) && (is_false(*a) || is_false(*b));
}

// The divisor that GuardDivisionPass replaces by another one where it is zero, or where the
// quotient would overflow.
static const llvm::Value& without_guard(const llvm::Value& divisor, const llvm::Value& number) {
  const auto* select = llvm::dyn_cast<llvm::SelectInst>(&divisor);
  return select != nullptr &&
                 is_false_if_positive(*select->getCondition(), number, *select->getFalseValue())
             ? *select->getFalseValue()
             : divisor;
}

std::optional<RowSplit> row_split(const llvm::Instruction& instruction) {
  using Op = llvm::Instruction;
  constexpr unsigned kLeastBits = 4, kMaxBits = 30;
  if (!instruction.getType()->isIntegerTy() || !llvm::isa<llvm::BinaryOperator>(instruction))
    return std::nullopt;
  RowSplit split;
  split.number = instruction.getOperand(0);
  const auto* other = instruction.getOperand(1);
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(other);
  switch (instruction.getOpcode()) {
  case Op::And:
    if (constant == nullptr || !constant->getValue().isShiftedMask())
      return std::nullopt;
    split.is_row = !constant->getValue().isMask();
    split.bits =
        split.is_row ? constant->getValue().countr_zero() : constant->getValue().countr_one();
    break;
  case Op::LShr:
  case Op::AShr:
    if (constant == nullptr)
      return std::nullopt;
    split.bits = static_cast<unsigned>(constant->getLimitedValue(kMaxBits + 1));
    split.is_row = true;
    break;
  case Op::UDiv:
  case Op::SDiv:
  case Op::URem:
  case Op::SRem:
    split.is_row = instruction.getOpcode() == Op::UDiv || instruction.getOpcode() == Op::SDiv;
    split.is_signed = instruction.getOpcode() == Op::SDiv || instruction.getOpcode() == Op::SRem;
    split.columns = split.is_signed ? &without_guard(*other, *split.number) : other;
    return constant == nullptr ||
                   (constant->getValue().sge(1 << kLeastBits) && !constant->isNegative())
               ? std::optional(split)
               : std::nullopt;
  default:
    return std::nullopt;
  }
  return split.bits >= kLeastBits && split.bits <= kMaxBits ? std::optional(split) : std::nullopt;
}

} // namespace heddle::compiler
