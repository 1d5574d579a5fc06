// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/find_guards.h"

#include "compiler/vectorize/analysis/group_strided_loop.h"
#include "compiler/vectorize/transform/late_guards.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxGuards = 4;
constexpr unsigned kMaxGuardDepth = 6; // of nested conditions

using llvm::PatternMatch::m_LogicalAnd;
using llvm::PatternMatch::m_LogicalOr;
using llvm::PatternMatch::m_Not;
using llvm::PatternMatch::m_Value;
using llvm::PatternMatch::match;

// What makes the condition true (!is_true: false), each by itself.
void collect_alternatives(const llvm::Value& condition, bool is_true,
                          llvm::SmallVectorImpl<const llvm::Value*>& alternatives) {
  const llvm::Value *a = nullptr, *b = nullptr;
  if (is_true ? match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))
              : match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))) {
    collect_alternatives(*a, is_true, alternatives);
    collect_alternatives(*b, is_true, alternatives);
  } else {
    alternatives.push_back(&condition);
  }
}

// Whether both have to be true (false), and one of them rarely is.
bool is_rare_conjunction(const llvm::Value& condition, bool is_true) {
  const llvm::Value *a = nullptr, *b = nullptr;
  return (is_true ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                  : match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))) &&
         (is_rare(*a, is_true) || is_rare(*b, is_true));
}

bool is_equality(const llvm::ICmpInst& compare, bool is_true) {
  return compare.getPredicate() == (is_true ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE);
}

// Whether the comparisons are a number's with the two ends of a range, as in `x < 0 || x >= w`.
bool are_outside_a_range(const llvm::ICmpInst& one, const llvm::ICmpInst& other) {
  const auto is_less = [](const llvm::ICmpInst& compare) {
    return llvm::ICmpInst::isLT(compare.getPredicate()) ||
           llvm::ICmpInst::isLE(compare.getPredicate());
  };
  return one.getOperand(0) == other.getOperand(0) && one.isRelational() && other.isRelational() &&
         one.isSigned() == other.isSigned() && is_less(one) != is_less(other);
}

// Whether only the other successor of the block leads there.
bool is_behind_other_side(const llvm::BasicBlock& block, const llvm::BasicBlock& inside,
                          const llvm::BasicBlock& there, const Analyses& analyses) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return false;
  const auto* other = branch->getSuccessor(branch->getSuccessor(0) == &inside ? 1 : 0);
  return other != &inside && other->getSinglePredecessor() == &block &&
         analyses.dominators.dominates(other, &there);
}

bool is_decidable(llvm::Value& condition, bool is_true, const LaneShapes& shapes,
                  unsigned depth = 0) {
  if (shapes.is_uniform(condition))
    return true;
  llvm::Value *a = nullptr, *b = nullptr;
  if (depth > kMaxGuardDepth)
    return false;
  if (match(&condition, m_Not(m_Value(a))))
    return is_decidable(*a, !is_true, shapes, depth + 1);
  if (is_true ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
              : match(&condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return is_decidable(*a, is_true, shapes, depth + 1) &&
           is_decidable(*b, is_true, shapes, depth + 1);
  return match_guard_limit(condition, is_true, shapes).has_value();
}

} // namespace

std::optional<UniformBound> match_guard_limit(llvm::Value& condition, bool is_true,
                                              const LaneShapes& shapes) {
  const auto found = UniformBound::find(condition, is_true, shapes);
  if (!found || found->stride == 0)
    return std::nullopt;
  if (llvm::ICmpInst::isEquality(found->predicate) &&
      (found->predicate == llvm::ICmpInst::ICMP_EQ || found->stride != 1))
    return std::nullopt;
  return found;
}

bool leads_to_return(const llvm::BasicBlock* block) {
  for (unsigned i = 0; i < 4 && block != nullptr && block->size() == 1; ++i) {
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator()))
      return true;
    block = block->getSingleSuccessor();
  }
  return false;
}

bool is_rare(const llvm::Value& condition, bool is_true) {
  llvm::SmallVector<const llvm::Value*, 8> alternatives;
  collect_alternatives(condition, is_true, alternatives);
  llvm::SmallVector<const llvm::ICmpInst*, 8> comparisons;
  for (const auto* alternative : alternatives) {
    if (is_rare_conjunction(*alternative, is_true))
      continue;
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(alternative);
    if (compare == nullptr)
      return false;
    comparisons.push_back(compare);
  }
  return llvm::all_of(comparisons, [&](const auto* one) {
    return is_equality(*one, is_true) || llvm::any_of(comparisons, [&](const auto* other) {
             return are_outside_a_range(*one, *other);
           });
  });
}

bool is_repeatable(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple();
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return llvm::isa<llvm::IntrinsicInst>(call) && call->doesNotAccessMemory() &&
           !call->mayHaveSideEffects() && !call->isConvergent();
  return !instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::AllocaInst>(instruction);
}

Guards find_guards(llvm::Function& kernel, const Analyses& analyses) {
  const auto& shapes = analyses.shapes;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> loop_guards;
  for (auto* loop : analyses.loops.getLoopsInPreorder())
    if (const auto group_loop = GroupStridedLoop::find(*loop, shapes))
      loop_guards.insert(group_loop->guard);
  const auto is_allowed = [](const llvm::Instruction& instruction) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return llvm::isa<llvm::AllocaInst>(instruction) || is_repeatable(instruction) ||
           (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic());
  };
  // Whether `inside` is executed only behind the block, if its other side never is (is_guard).
  const auto continues = [&](const llvm::BasicBlock& block, const llvm::BasicBlock& inside,
                             bool is_guard) {
    return !leads_to_return(&inside) && !analyses.loops.isLoopHeader(&inside) &&
           llvm::all_of(llvm::predecessors(&inside), [&](const llvm::BasicBlock* from) {
             return from == &block ||
                    (is_guard && is_behind_other_side(block, inside, *from, analyses));
           });
  };
  Guards guards;
  auto& found = guards.found;
  auto* block = &kernel.getEntryBlock();
  while (found.size() != kMaxGuards) {
    if (!llvm::all_of(*block, is_allowed) || loop_guards.contains(block))
      break;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr)
      break;
    unsigned inside = 0;
    bool is_guard = false;
    if (branch->isConditional()) {
      auto& condition = *branch->getCondition();
      if (leads_to_return(branch->getSuccessor(0)) || is_rare(condition, true))
        inside = 1;
      else if (!leads_to_return(branch->getSuccessor(1)) && !is_rare(condition, false))
        break;
      is_guard = !shapes.is_uniform(condition) || shapes.differs_by_row(condition);
      if (is_guard && !is_decidable(condition, inside == 0, shapes))
        break;
    }
    auto* next = branch->getSuccessor(inside);
    if (!continues(*block, *next, is_guard))
      break;
    if (is_guard)
      found.push_back({block, inside});
    block = next;
  }
  if (!loop_guards.empty())
    return guards;
  guards.place = block->getTerminator();
  for (auto& instruction : *block)
    if (!is_allowed(instruction)) {
      guards.place = &instruction;
      break;
    }
  guards.late = find_late_guards(*guards.place, analyses, [&](llvm::Value& condition) {
    return is_decidable(condition, true, shapes);
  });
  return guards;
}

} // namespace heddle::compiler
