// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/local_memory/lane_masks.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxDepth = 6;

bool is_within(llvm::Value* mask, llvm::Value* other, unsigned depth) {
  if (mask == other)
    return true;
  if (depth == 0)
    return false;
  using namespace llvm::PatternMatch;
  llvm::Value *one = nullptr, *two = nullptr;
  if (match(mask, m_LogicalAnd(m_Value(one), m_Value(two))))
    return is_within(one, other, depth - 1) || is_within(two, other, depth - 1);
  if (match(mask, m_LogicalOr(m_Value(one), m_Value(two))))
    return is_within(one, other, depth - 1) && is_within(two, other, depth - 1);
  if (match(mask, m_Shuffle(m_Value(one), m_Poison())))
    return is_within(one, other, depth - 1);
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  return constant != nullptr && constant->isNullValue();
}

} // namespace

std::optional<bool> is_active(const llvm::Value* mask, unsigned lane) {
  if (mask == nullptr)
    return true;
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  if (constant != nullptr && constant->getType()->isVectorTy())
    constant = constant->getAggregateElement(lane);
  if (constant == nullptr)
    return std::nullopt;
  if (llvm::isa<llvm::UndefValue>(constant)) // poison too
    return false;
  const auto* bit = llvm::dyn_cast<llvm::ConstantInt>(constant);
  return bit != nullptr ? std::optional(bit->isOne()) : std::nullopt;
}

llvm::Value* mask_of(llvm::Value* condition, bool is_any) {
  using namespace llvm::PatternMatch;
  llvm::Value* mask = nullptr;
  const auto predicate = is_any ? llvm::ICmpInst::ICMP_NE : llvm::ICmpInst::ICMP_EQ;
  const bool is_mask =
      match(condition, m_SpecificICmp(predicate, m_BitCast(m_Value(mask)), m_Zero())) &&
      mask->getType()->isVectorTy() && mask->getType()->getScalarType()->isIntegerTy(1);
  return is_mask ? mask : nullptr;
}

bool is_within(llvm::Value* mask, llvm::Value* other) { return is_within(mask, other, kMaxDepth); }

} // namespace heddle::compiler
