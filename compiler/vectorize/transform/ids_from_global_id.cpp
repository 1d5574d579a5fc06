// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/ids_from_global_id.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/vectorize/analysis/global_id_uses.h"
#include "compiler/vectorize/analysis/independent_groups.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::Value;

// Groups of so many work-items run as one also if some accesses are no longer consecutive.
constexpr std::uint64_t kMaxScattered = 4;
constexpr unsigned kMaxTerms = 12;
constexpr unsigned kMaxIdDepth = 8;

// A sum of products with constants, modulo the width of its type.
struct Sum {
  struct Term {
    Value* value;
    llvm::APInt factor;
  };
  llvm::SmallVector<Term, 8> terms;
  bool wraps = false; // an operation of it may wrap around as signed arithmetic
};

bool is_sum(const Value& value) {
  using namespace llvm::PatternMatch;
  return match(&value, m_Add(m_Value(), m_Value())) ||
         match(&value, m_DisjointOr(m_Value(), m_Value()));
}

void add_terms(Value& value, const llvm::APInt& factor, unsigned depth, Sum& sum) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* constant = nullptr;
  Value *a = nullptr, *b = nullptr;
  const auto* operation = llvm::dyn_cast<BinaryOperator>(&value);
  const auto has_no_wrap = [&] {
    return operation->getOpcode() == Instruction::Or || operation->hasNoSignedWrap();
  };
  if (depth < kMaxIdDepth && sum.terms.size() < kMaxTerms) {
    if (is_sum(value)) {
      match(&value, m_BinOp(m_Value(a), m_Value(b)));
      sum.wraps |= !has_no_wrap();
      add_terms(*a, factor, depth + 1, sum);
      add_terms(*b, factor, depth + 1, sum);
      return;
    }
    if (match(&value, m_Mul(m_Value(a), m_APInt(constant)))) {
      sum.wraps |= !has_no_wrap();
      add_terms(*a, factor * *constant, depth + 1, sum);
      return;
    }
    if (match(&value, m_Shl(m_Value(a), m_APInt(constant))) &&
        constant->ult(factor.getBitWidth())) {
      sum.wraps |= !has_no_wrap();
      add_terms(*a, factor.shl(*constant), depth + 1, sum);
      return;
    }
  }
  sum.terms.push_back({&value, factor});
}

// What a value is truncated from.
Value* without_truncation(Value* value) {
  using namespace llvm::PatternMatch;
  Value* wide = nullptr;
  return match(value, m_Trunc(m_Value(wide))) ? wide : value;
}

// The ids of a kernel in x, in groups of a known size.
class Ids {
 public:
  Ids(llvm::Function& body, std::uint64_t size)
      : body_(body), params_(work_item_params(body)), size_(size), uses_(params_, size, 0),
        builder_(&*body.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {
    for (auto& instruction : llvm::instructions(body))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (uses_.is_group_id(*load))
          group_ids_.push_back(load);
        else if (uses_.is_local_size(*load))
          local_sizes_.push_back(load);
      }
  }

  void compute_from_global_id() {
    if (!only_loads_from_group())
      return;
    merge_sums();
    const auto local = uses_of_local_id();
    const auto group = uses_of_group_id();
    if (size_ > kMaxScattered && !(local.empty() && group.empty()))
      return;
    auto* size = builder_.getInt64(size_);
    for (auto* use : local)
      use->set(size_ == 1 ? builder_.getInt64(0) : builder_.CreateURem(global_id(), size));
    for (auto* use : group)
      use->set(size_ == 1 ? global_id() : builder_.CreateUDiv(global_id(), size));
    for (auto* load : local_sizes_)
      load->replaceAllUsesWith(size);
  }

 private:
  bool only_loads_from_group() const {
    const auto is_load = [](const llvm::User* user) { return llvm::isa<llvm::LoadInst>(user); };
    return llvm::all_of(params_.group->users(), [&](const llvm::User* user) {
      return is_load(user) ||
             (llvm::isa<llvm::GetElementPtrInst>(user) && llvm::all_of(user->users(), is_load));
    });
  }

  // Without its offset, in the entry block.
  Value* global_id() {
    if (global_id_ == nullptr) {
      auto* group =
          AbiBuilder(builder_).group_word(params_.group, offsetof(abi::Group, group_id), 0);
      start_ = builder_.CreateMul(group, builder_.getInt64(size_));
      global_id_ = builder_.CreateAdd(start_, params_.local_id[0]);
    }
    return global_id_;
  }

  // Replaces sums of both ids, in which the group's factor is that of the local id times the size.
  void merge_sums() {
    llvm::SmallVector<llvm::WeakTrackingVH, 32> sums;
    for (auto& instruction : llvm::instructions(body_))
      if (is_sum(instruction) && instruction.getType()->isIntegerTy() && !is_global_id(instruction))
        sums.push_back(&instruction);
    // Whole sums before their parts, which may be deleted with them.
    for (auto& handle : llvm::reverse(sums)) {
      auto* sum = llvm::cast_or_null<Instruction>(handle);
      if (sum != nullptr && merge(*sum))
        llvm::RecursivelyDeleteTriviallyDeadInstructions(sum);
    }
  }

  bool merge(Instruction& instruction) {
    const llvm::APInt one(instruction.getType()->getIntegerBitWidth(), 1);
    Sum sum;
    add_terms(instruction, one, 0, sum);
    const auto local = llvm::find_if(sum.terms, [&](const Sum::Term& term) {
      return without_truncation(term.value) == params_.local_id[0];
    });
    if (local == sum.terms.end())
      return false;
    const auto group = llvm::find_if(sum.terms, [&](const Sum::Term& term) {
      return llvm::is_contained(group_ids_, without_truncation(term.value)) &&
             term.factor == local->factor * size_;
    });
    if (group == sum.terms.end())
      return false;
    replace(instruction, sum, *local, *group);
    return true;
  }

  void replace(Instruction& instruction, const Sum& sum, const Sum::Term& local,
               const Sum::Term& group) {
    auto* id = global_id();
    llvm::IRBuilder<> builder(&instruction);
    auto* type = instruction.getType();
    // Partial sums of what is not negative are no more than the sum, which does not wrap around.
    const bool is_exact = !sum.wraps && llvm::all_of(sum.terms, [&](const Sum::Term& term) {
      return term.factor.isNonNegative() && is_not_negative(*term.value, instruction);
    });
    Value* result = nullptr;
    const auto add = [&](Value* value, const llvm::APInt& factor) {
      auto* term =
          builder.CreateMul(value, llvm::ConstantInt::get(type, factor), "", false, is_exact);
      result = result == nullptr ? term : builder.CreateAdd(result, term, "", false, is_exact);
    };
    add(builder.CreateZExtOrTrunc(id, type), local.factor);
    for (const auto& term : sum.terms)
      if (&term != &local && &term != &group)
        add(term.value, term.factor);
    instruction.replaceAllUsesWith(result);
  }

  bool is_not_negative(const Value& value, const Instruction& user) const {
    const auto* wide = without_truncation(const_cast<Value*>(&value));
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(wide);
    if (llvm::is_contained(params_.local_id, wide) ||
        (load != nullptr &&
         load->getPointerOperand()->stripInBoundsConstantOffsets() == params_.group))
      return true;
    return llvm::isKnownNonNegative(&value, llvm::SimplifyQuery(user.getDataLayout(), &user));
  }

  bool is_global_id(const Instruction& instruction) const {
    const auto* sum = llvm::dyn_cast<BinaryOperator>(&instruction);
    return sum != nullptr && (sum == global_id_ || uses_.is_global_id(*sum));
  }

  llvm::SmallVector<llvm::Use*, 16> uses_of_local_id() {
    llvm::SmallVector<llvm::Use*, 16> found;
    for (auto& use : params_.local_id[0]->uses())
      if (!is_global_id(*llvm::cast<Instruction>(use.getUser())))
        found.push_back(&use);
    return found;
  }

  llvm::SmallVector<llvm::Use*, 16> uses_of_group_id() {
    llvm::SmallVector<llvm::Use*, 16> found;
    for (auto* load : group_ids_)
      for (auto& use : load->uses())
        if (use.getUser() != start_ && !uses_.is_operand_of_global_ids(*use.getUser()))
          found.push_back(&use);
    return found;
  }

  llvm::Function& body_;
  const WorkItemParams params_;
  const std::uint64_t size_; // in x, work-items
  const GlobalIdUses uses_;
  llvm::IRBuilder<> builder_;
  llvm::SmallVector<llvm::LoadInst*, 8> group_ids_, local_sizes_;
  Value* start_ = nullptr; // of the group
  Value* global_id_ = nullptr;
};

} // namespace

llvm::PreservedAnalyses IdsFromGlobalIdPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& /*analyses*/) {
  auto* kernel = compilation_.find_kernel(function);
  if (kernel == nullptr || !kernel->specialization.has_long_rows ||
      !has_independent_groups(*kernel))
    return llvm::PreservedAnalyses::all();
  const auto size = kernel->local_size[0];
  Ids(function, size).compute_from_global_id();
  // Before InstCombine makes an offset of the group's part of an index.
  const GlobalIdUses uses(work_item_params(function), size, 0);
  kernel->launch.has_global_ids_only = uses.has_global_ids_only() && uses.hides_group();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
