// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/value_range.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

namespace heddle::compiler {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned kDeepest = 8;

std::uint64_t ones(unsigned bits) { return llvm::maskTrailingOnes<std::uint64_t>(bits); }

unsigned bits_of(const llvm::Value& value) {
  return std::min<unsigned>(value.getType()->getScalarSizeInBits(), 64);
}

// What a true condition implies for the low bits of the value.
std::optional<std::uint64_t> limit(const llvm::Value& value, unsigned bits,
                                   const llvm::Value& condition, bool is_met) {
  llvm::CmpPredicate predicate;
  const llvm::Value* left = nullptr;
  const llvm::APInt* right = nullptr;
  const llvm::APInt* tested = nullptr;
  if (!match(&condition, m_ICmp(predicate, m_Value(left), m_APInt(right))) ||
      right->getBitWidth() > 64)
    return std::nullopt;
  const auto met =
      is_met ? llvm::CmpInst::Predicate(predicate) : llvm::CmpInst::getInversePredicate(predicate);
  if (left == &value && met == llvm::CmpInst::ICMP_ULT && !right->isZero())
    return right->getZExtValue() - 1;
  if (left == &value && met == llvm::CmpInst::ICMP_ULE)
    return right->getZExtValue();
  if (met == llvm::CmpInst::ICMP_EQ && right->isZero() &&
      match(left, m_And(m_Specific(&value), m_APInt(tested))))
    if (const auto others = ~tested->getZExtValue() & ones(bits); llvm::isMask_64(others))
      return others;
  return std::nullopt;
}

// The bound that holds on an edge.
std::optional<std::uint64_t> limit_on_edge(const llvm::Value& value, unsigned bits,
                                           const llvm::BasicBlock& from,
                                           const llvm::BasicBlock& to) {
  const auto* before = &from;
  const auto* behind = &to;
  for (unsigned i = 0; i < kDeepest && before != nullptr; ++i) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (branch != nullptr && branch->isConditional() &&
        branch->getSuccessor(0) != branch->getSuccessor(1))
      if (const auto found =
              limit(value, bits, *branch->getCondition(), branch->getSuccessor(0) == behind))
        return found;
    behind = before;
    before = before->getSinglePredecessor();
  }
  return std::nullopt;
}

// A bound of the low bits of a value, as an unsigned number; sums that may overflow have none.
std::uint64_t largest(const llvm::Value& value, unsigned bits, unsigned depth);

std::uint64_t largest_of_phi(const llvm::PHINode& phi, unsigned bits, unsigned depth) {
  std::uint64_t most = 0;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const auto& incoming = *phi.getIncomingValue(i);
    const auto known = limit_on_edge(incoming, bits, *phi.getIncomingBlock(i), *phi.getParent());
    most = std::max(most, known ? *known : largest(incoming, bits, depth + 1));
  }
  return most;
}

std::uint64_t largest_of_and(const llvm::Instruction& mask, unsigned bits, unsigned depth) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(mask.getOperand(1));
  if (number != nullptr && number->getValue().isMask())
    bits = std::min(bits, number->getValue().getActiveBits());
  const auto left = largest(*mask.getOperand(0), bits, depth + 1);
  return std::min(left, largest(*mask.getOperand(1), bits, depth + 1));
}

std::uint64_t largest(const llvm::Value& value, unsigned bits, unsigned depth) {
  bits = std::min(bits, bits_of(value));
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return number->getValue().zextOrTrunc(64).getZExtValue() & ones(bits);
  if (instruction == nullptr || depth == kDeepest)
    return ones(bits);
  const auto most = llvm::computeKnownBits(&value, instruction->getDataLayout())
                        .trunc(bits)
                        .getMaxValue()
                        .getZExtValue();
  const auto of = [&](unsigned operand) {
    return largest(*instruction->getOperand(operand), bits, depth + 1);
  };
  bool wraps = false;
  auto found = ones(bits);
  switch (instruction->getOpcode()) {
  case llvm::Instruction::PHI:
    found = largest_of_phi(llvm::cast<llvm::PHINode>(*instruction), bits, depth);
    break;
  case llvm::Instruction::And:
    found = largest_of_and(*instruction, bits, depth);
    break;
  case llvm::Instruction::Add:
    found = llvm::SaturatingAdd(of(0), of(1), &wraps);
    break;
  case llvm::Instruction::Mul:
    found = llvm::SaturatingMultiply(of(0), of(1), &wraps);
    break;
  case llvm::Instruction::Shl:
    if (const auto* by = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
        by != nullptr && by->getValue().ult(64))
      found = llvm::SaturatingMultiply(of(0), std::uint64_t{1} << by->getZExtValue(), &wraps);
    break;
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
    found = of(0);
    break;
  default:
    break;
  }
  return wraps || found > ones(bits) ? most : std::min(most, found);
}

} // namespace

std::uint64_t max_unsigned_value(const llvm::Value& value) { return largest(value, 64, 0); }

std::optional<std::uint64_t> max_offset_from(const llvm::Value& base, const llvm::Value& pointer) {
  std::uint64_t furthest = 0;
  const auto* at = &pointer;
  while (at != &base) {
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(at)) {
      at = cast->getPointerOperand();
      continue;
    }
    const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(at);
    if (step == nullptr)
      return std::nullopt;
    const auto& layout = step->getDataLayout();
    const auto bits = layout.getIndexTypeSizeInBits(step->getType());
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> parts;
    llvm::APInt constant(bits, 0);
    if (!step->collectOffset(layout, bits, parts, constant) || constant.isNegative())
      return std::nullopt;
    bool wraps = false;
    furthest = llvm::SaturatingAdd(furthest, constant.getZExtValue(), &wraps);
    for (const auto& [index, scale] : parts) {
      const auto most = max_unsigned_value(*index);
      // GEP indices are signed.
      if (wraps || scale.isNegative() || most > ones(bits_of(*index)) >> 1)
        return std::nullopt;
      furthest = llvm::SaturatingMultiplyAdd(most, scale.getZExtValue(), furthest, &wraps);
    }
    if (wraps)
      return std::nullopt;
    at = step->getPointerOperand();
  }
  return furthest;
}

} // namespace heddle::compiler
