// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/compare_multiples.h"

#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kDeepestOperand = 8, kMaxBits = 31;
constexpr std::uint64_t kLargestBound = std::uint64_t{1} << 31; // so that products have 64 bits

// What is less than the size of the group, and what is a multiple.
class Numbers {
 public:
  Numbers(llvm::Function& body, llvm::ArrayRef<std::uint64_t> size)
      : params_(work_item_params(body)), size_(size), layout_(body.getParent()->getDataLayout()) {}

  unsigned trailing_zeros(const llvm::Value& value) const {
    return llvm::computeKnownBits(&value, layout_).countMinTrailingZeros();
  }

  // Of a value that is a constant or is computed from local ids, and never negative.
  std::optional<std::uint64_t> largest(llvm::Value& value, unsigned depth = 0) const {
    const auto found = depth < kDeepestOperand ? unlimited(value, depth) : std::nullopt;
    const auto bits = value.getType()->getScalarSizeInBits();
    return found && *found < kLargestBound && *found >> (bits - 1) == 0 ? found : std::nullopt;
  }

 private:
  std::optional<std::uint64_t> unlimited(llvm::Value& value, unsigned depth) const {
    using namespace llvm::PatternMatch;
    llvm::Value *a = nullptr, *b = nullptr;
    const llvm::APInt* constant = nullptr;
    for (unsigned i = 0; i < 3; ++i)
      if (params_.local_id[i] == &value)
        return size_[i] - 1;
    if (match(&value, m_APInt(constant)))
      return constant->getLimitedValue();
    if (match(&value, m_CombineOr(m_Trunc(m_Value(a)), m_ZExtOrSExt(m_Value(a)))))
      return largest(*a, depth + 1);
    if (match(&value, m_Shl(m_Value(a), m_APInt(constant))) && constant->ult(32))
      return product(largest(*a, depth + 1), std::uint64_t{1} << constant->getZExtValue());
    if (match(&value, m_Mul(m_Value(a), m_APInt(constant))) && constant->ult(kLargestBound))
      return product(largest(*a, depth + 1), constant->getZExtValue());
    if (match(&value, m_AddLike(m_Value(a), m_Value(b)))) {
      const auto first = largest(*a, depth + 1), second = largest(*b, depth + 1);
      return first && second ? std::optional(*first + *second) : std::nullopt;
    }
    return std::nullopt;
  }

  static std::optional<std::uint64_t> product(std::optional<std::uint64_t> number,
                                              std::uint64_t factor) {
    return number ? std::optional(*number * factor) : std::nullopt;
  }

  const WorkItemParams params_;
  const llvm::ArrayRef<std::uint64_t> size_; // of the group, or the largest one
  const llvm::DataLayout& layout_;
};

// Takes away what is added to a multiple of 2^bits, if all of that is less than 2^bits.
class LowBits {
 public:
  LowBits(const Numbers& numbers, unsigned bits, llvm::Instruction& before)
      : numbers_(numbers), bits_(bits), builder_(&before) {}

  // Null: the sum is no such multiple.
  llvm::Value* drop(llvm::Value& sum) {
    using namespace llvm::PatternMatch;
    if (numbers_.trailing_zeros(sum) >= bits_)
      return &sum;
    llvm::Value *a = nullptr, *b = nullptr;
    if (match(&sum, m_CombineOr(m_Trunc(m_Value(a)), m_ZExtOrSExt(m_Value(a))))) {
      auto* rest = drop(*a);
      return rest == nullptr ? nullptr
                             : builder_.CreateCast(llvm::cast<llvm::CastInst>(sum).getOpcode(),
                                                   rest, sum.getType());
    }
    if (!match(&sum, m_AddLike(m_Value(a), m_Value(b))))
      return nullptr;
    auto low = numbers_.largest(*b);
    if (!low) {
      std::swap(a, b);
      low = numbers_.largest(*b);
    }
    return low && (dropped_ += *low) >> bits_ == 0 ? drop(*a) : nullptr;
  }

 private:
  const Numbers& numbers_;
  const unsigned bits_;
  llvm::IRBuilder<> builder_;
  std::uint64_t dropped_ = 0;
};

// x < n and x >= n do not depend on the bits of x below those of n.
bool is_decided_by_multiple(llvm::CmpInst::Predicate predicate) {
  return llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isGE(predicate);
}

bool drop_low_bits(llvm::ICmpInst& compare, unsigned operand, const Numbers& numbers) {
  const auto predicate = operand == 0 ? compare.getPredicate() : compare.getSwappedPredicate();
  auto* sum = compare.getOperand(operand);
  if (!is_decided_by_multiple(predicate) || !sum->getType()->isIntegerTy() ||
      !llvm::isa<llvm::Instruction>(sum))
    return false;
  const auto bits = std::min(numbers.trailing_zeros(*compare.getOperand(1 - operand)), kMaxBits);
  auto* rest = bits > 0 ? LowBits(numbers, bits, compare).drop(*sum) : nullptr;
  if (rest == nullptr || rest == sum)
    return false;
  compare.setOperand(operand, rest);
  compare.setSameSign(false); // which was said of the sum
  return true;
}

} // namespace

llvm::PreservedAnalyses CompareMultiplesPass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& /*analyses*/) {
  const auto* kernel = compilation_.find_kernel(function);
  if (kernel == nullptr || !has_work_item_params(function) || kernel->local_size[0] == 0)
    return llvm::PreservedAnalyses::all();
  const Numbers numbers(function, kernel->local_size);
  bool changed = false;
  for (auto& instruction : llvm::instructions(function))
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
      changed |= drop_low_bits(*compare, 0, numbers) || drop_low_bits(*compare, 1, numbers);
  if (!changed)
    return llvm::PreservedAnalyses::all();
  auto preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
