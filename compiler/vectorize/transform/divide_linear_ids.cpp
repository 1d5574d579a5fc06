// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/divide_linear_ids.h"

#include "compiler/interface/kernel_abi.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::Value;

constexpr std::uint64_t kShortestRow = 8;
constexpr unsigned kDeepestSum = 10;
constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 31; // so that products have 64 bits

// factor * (id / divisor % end)
struct LinearTerm {
  llvm::Argument* id = nullptr;
  std::uint64_t size = 0; // of the group in the dimension of the id
  std::uint64_t divisor = 1;
  std::uint64_t end = 0;
  std::uint64_t factor = 1;

  // Whether quotients are less than `end` in any case.
  bool has_all_quotients() const { return divisor * end >= size; }
};

// A multiple of a value that is not negative, as of a loop's counter.
struct Multiple {
  Value* value = nullptr;
  std::uint64_t factor = 1;
};

// A sum of terms, multiples and a constant, all of which are positive: no part of it is larger than
// the whole.
struct LinearSum {
  llvm::SmallVector<LinearTerm, 4> terms;
  std::uint64_t constant = 0;
  llvm::SmallVector<Multiple, 2> multiples;

  // Without multiples.
  std::uint64_t largest() const {
    auto sum = constant;
    for (const auto& term : terms)
      sum += term.factor * (term.end - 1);
    return sum;
  }
  // Neither are divided by computing with ids.
  bool has_no_id() const { return terms.empty(); }
  bool is_constant() const { return terms.empty() && multiples.empty(); }
  bool is_one_id() const {
    return terms.size() == 1 && constant == 0 && terms.front().factor == 1 && multiples.empty();
  }
};

LinearSum constant_sum(std::uint64_t constant) { return {{}, constant, {}}; }

std::optional<LinearSum> limited_sum(std::optional<LinearSum> sum, unsigned bits) {
  return sum && sum->largest() < kLargestNumber && sum->largest() >> (bits - 1) == 0 ? sum
                                                                                     : std::nullopt;
}

LinearSum multiply_sum(LinearSum sum, std::uint64_t factor) {
  if (factor == 0)
    return {};
  sum.constant *= factor;
  for (auto& term : sum.terms)
    term.factor *= factor;
  for (auto& multiple : sum.multiples)
    multiple.factor *= factor;
  return sum;
}

LinearSum add_sums(LinearSum sum, const LinearSum& other) {
  sum.constant += other.constant;
  sum.multiples.append(other.multiples);
  for (const auto& added : other.terms) {
    auto* same = llvm::find_if(sum.terms, [&](const LinearTerm& term) {
      return term.id == added.id && term.divisor == added.divisor && term.end == added.end;
    });
    if (same != sum.terms.end())
      same->factor += added.factor;
    else
      sum.terms.push_back(added);
  }
  return sum;
}

struct Division {
  LinearSum quotient, remainder;
};

// Nothing if the remainders of the terms add up to more than the divisor, or are not known.
std::optional<Division> divide_sum(const LinearSum& sum, std::uint64_t divisor) {
  Division result;
  auto& [quotient, remainder] = result;
  quotient.constant = sum.constant / divisor;
  remainder.constant = sum.constant % divisor;
  for (const auto& multiple : sum.multiples) {
    if (multiple.factor % divisor != 0)
      return std::nullopt;
    quotient.multiples.push_back({multiple.value, multiple.factor / divisor});
  }
  for (const auto& term : sum.terms) {
    const auto add = [&](LinearSum& to, LinearTerm added, std::uint64_t factor) {
      added.factor = factor;
      if (factor != 0 && added.end > 1)
        to.terms.push_back(added);
    };
    const auto each = divisor / term.factor; // times the factor is the divisor
    if (divisor % term.factor == 0 && term.end > each &&
        (term.end % each == 0 || term.has_all_quotients())) {
      add(quotient, {term.id, term.size, term.divisor * each, llvm::divideCeil(term.end, each)}, 1);
      add(remainder, {term.id, term.size, term.divisor, each}, term.factor);
    } else {
      add(quotient, term, term.factor / divisor);
      add(remainder, term, term.factor % divisor);
    }
  }
  return remainder.largest() < divisor ? std::optional(result) : std::nullopt;
}

class LinearIds {
 public:
  LinearIds(llvm::Function& body, llvm::ArrayRef<std::uint64_t> size, bool has_whole_groups)
      : layout_(body.getParent()->getDataLayout()), params_(work_item_params(body)), size_(size),
        has_whole_groups_(has_whole_groups) {}

  // The sum that a value is.
  std::optional<LinearSum> sum(Value& value, unsigned depth = 0) const {
    if (!value.getType()->isIntegerTy() || depth == kDeepestSum)
      return std::nullopt;
    const auto bits = value.getType()->getIntegerBitWidth();
    if (bits > 64)
      return std::nullopt;
    const auto found = limited_sum(unlimited_sum(value, depth), bits);
    return found && (found->multiples.empty() || is_exact(value)) ? found : std::nullopt;
  }

  // The same, of a quotient or remainder of a sum.
  std::optional<LinearSum> divided(Instruction& instruction, unsigned depth = 0) const {
    using namespace llvm::PatternMatch;
    Value* number = nullptr;
    const llvm::APInt* constant = nullptr;
    unsigned first = 0, count = 0;
    if (match(&instruction, m_BinOp(m_Value(number), m_APInt(constant))))
      switch (instruction.getOpcode()) {
      case Instruction::UDiv:
      case Instruction::SDiv:
        return quotient(*number, *constant, depth);
      case Instruction::LShr:
      case Instruction::AShr:
        return constant->ult(32)
                   ? quotient(*number, llvm::APInt(64, 1) << constant->getZExtValue(), depth)
                   : std::nullopt;
      case Instruction::URem:
      case Instruction::SRem:
        return remainder(*number, *constant, depth);
      case Instruction::And:
        if (!constant->isShiftedMask(first, count))
          return std::nullopt;
        return bits(*number, first, count, depth);
      default:
        break;
      }
    return std::nullopt;
  }

 private:
  // Of a load of the size of the group, if that is known.
  std::optional<unsigned> dimension_of_size(const Instruction& instruction) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr || !has_whole_groups_)
      return std::nullopt;
    llvm::APInt offset(64, 0);
    const auto* base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    if (base != params_.group || !load->getType()->isIntegerTy(64))
      return std::nullopt;
    for (unsigned d = 0; d < 3; ++d)
      if (offset == offsetof(abi::Group, local_size) + 8 * d)
        return d;
    return std::nullopt;
  }

  // Whether an operation on what may be large does not wrap around.
  static bool is_exact(const Value& value) {
    if (llvm::isa<llvm::TruncInst>(value))
      return false;
    const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&value);
    return operation == nullptr || operation->hasNoSignedWrap();
  }

  std::optional<LinearSum> unlimited_sum(Value& value, unsigned depth) const {
    using namespace llvm::PatternMatch;
    Value *a = nullptr, *b = nullptr;
    const llvm::APInt* constant = nullptr;
    if (match(&value, m_APInt(constant)))
      return constant->ult(kLargestNumber) ? std::optional(constant_sum(constant->getZExtValue()))
                                           : std::nullopt;
    for (unsigned i = 0; i < 3; ++i)
      if (params_.local_id[i] == &value)
        return size_[i] > 1 ? LinearSum{{{params_.local_id[i], size_[i], 1, size_[i], 1}}, 0, {}}
                            : LinearSum{};
    if (match(&value, m_Trunc(m_Value(a))) || match(&value, m_ZExt(m_Value(a))) ||
        match(&value, m_SExt(m_Value(a))))
      return sum(*a, depth + 1);
    if (match(&value, m_Add(m_Value(a), m_Value(b))) ||
        match(&value, m_DisjointOr(m_Value(a), m_Value(b)))) {
      const auto first = sum(*a, depth + 1);
      const auto second = first ? sum(*b, depth + 1) : std::nullopt;
      return second ? std::optional(add_sums(*first, *second)) : std::nullopt;
    }
    if (match(&value, m_Mul(m_Value(a), m_Value(b)))) {
      const auto first = sum(*a, depth + 1);
      const auto second = first ? sum(*b, depth + 1) : std::nullopt;
      if (!second || (!first->is_constant() && !second->is_constant()))
        return std::nullopt;
      return first->is_constant() ? multiply_sum(*second, first->constant)
                                  : multiply_sum(*first, second->constant);
    }
    if (match(&value, m_Shl(m_Value(a), m_APInt(constant))))
      return constant->ult(32) ? multiple(*a, llvm::APInt(64, 1) << constant->getZExtValue(), depth)
                               : std::nullopt;
    auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (instruction == nullptr)
      return std::nullopt;
    if (const auto dimension = dimension_of_size(*instruction))
      return constant_sum(size_[*dimension]);
    if (auto found = divided(*instruction, depth))
      return found;
    if (!llvm::isKnownNonNegative(&value, llvm::SimplifyQuery(layout_, instruction)))
      return std::nullopt;
    return LinearSum{{}, 0, {{&value, 1}}};
  }

  std::optional<LinearSum> multiple(Value& value, const llvm::APInt& factor, unsigned depth) const {
    if (!factor.ult(kLargestNumber))
      return std::nullopt;
    const auto multiplied = sum(value, depth + 1);
    return multiplied ? std::optional(multiply_sum(*multiplied, factor.getZExtValue()))
                      : std::nullopt;
  }

  std::optional<Division> division(Value& number, const llvm::APInt& divisor,
                                   unsigned depth) const {
    if (!divisor.ult(kLargestNumber) || divisor.isZero())
      return std::nullopt;
    const auto divided = sum(number, depth + 1);
    return divided ? divide_sum(*divided, divisor.getZExtValue()) : std::nullopt;
  }

  std::optional<LinearSum> quotient(Value& number, const llvm::APInt& divisor,
                                    unsigned depth) const {
    const auto found = division(number, divisor, depth);
    return found ? std::optional(found->quotient) : std::nullopt;
  }

  std::optional<LinearSum> remainder(Value& number, const llvm::APInt& divisor,
                                     unsigned depth) const {
    const auto found = division(number, divisor, depth);
    return found ? std::optional(found->remainder) : std::nullopt;
  }

  // number & ((2^count - 1) << first)
  std::optional<LinearSum> bits(Value& number, unsigned first, unsigned count,
                                unsigned depth) const {
    if (first >= 31)
      return std::nullopt;
    const auto low = std::uint64_t{1} << first;
    const auto upper = quotient(number, llvm::APInt(64, low), depth);
    if (!upper)
      return std::nullopt;
    if (upper->multiples.empty() && (first + count >= 31 || upper->largest() >> count == 0))
      return multiply_sum(*upper, low);
    if (count >= 31)
      return std::nullopt;
    const auto found = divide_sum(*upper, std::uint64_t{1} << count);
    return found ? std::optional(multiply_sum(found->remainder, low)) : std::nullopt;
  }

  const llvm::DataLayout& layout_;
  const WorkItemParams params_;
  const llvm::ArrayRef<std::uint64_t> size_; // of the group, or the largest one
  const bool has_whole_groups_;
};

Value* emit_sum(const LinearSum& sum, Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  auto* type = before.getType();
  Value* result = nullptr;
  const auto add = [&](Value* value) {
    result = result == nullptr ? value : builder.CreateAdd(result, value, "", true, true);
  };
  const auto add_multiple = [&](Value* value, std::uint64_t factor) {
    add(factor == 1
            ? value
            : builder.CreateMul(value, llvm::ConstantInt::get(type, factor), "", true, true));
  };
  for (const auto& term : sum.terms) {
    auto* value = builder.CreateZExtOrTrunc(term.id, type);
    if (term.divisor != 1)
      value = builder.CreateUDiv(value, llvm::ConstantInt::get(type, term.divisor));
    if (!term.has_all_quotients())
      value = builder.CreateURem(value, llvm::ConstantInt::get(type, term.end));
    add_multiple(value, term.factor);
  }
  for (const auto& multiple : sum.multiples)
    add_multiple(builder.CreateZExt(multiple.value, type), multiple.factor);
  if (sum.constant != 0 || result == nullptr)
    add(llvm::ConstantInt::get(type, sum.constant));
  return result;
}

} // namespace

llvm::PreservedAnalyses DivideLinearIdsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& /*analyses*/) {
  const auto* kernel = compilation_.find_kernel(function);
  if (kernel == nullptr || !has_work_item_params(function) || kernel->local_size[0] < kShortestRow)
    return llvm::PreservedAnalyses::all();
  const LinearIds ids(function, kernel->local_size, kernel->specialization.has_whole_groups);
  llvm::SmallVector<llvm::WeakTrackingVH, 16> replaced;
  for (auto& instruction : llvm::instructions(function)) {
    if (!instruction.getType()->isIntegerTy())
      continue;
    const auto divided = ids.divided(instruction);
    if (!divided)
      continue;
    const auto number = ids.sum(*instruction.getOperand(0));
    if (number->has_no_id() || number->is_one_id())
      continue;
    instruction.replaceAllUsesWith(emit_sum(*divided, instruction));
    replaced.emplace_back(&instruction);
  }
  if (replaced.empty())
    return llvm::PreservedAnalyses::all();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(replaced);
  auto preserved = llvm::PreservedAnalyses::none();
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
