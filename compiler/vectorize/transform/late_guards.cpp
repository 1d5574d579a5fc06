// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/late_guards.h"

#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxLateGuards = 4;
constexpr unsigned kMaxConditionDepth = 16; // of the instructions that a condition is computed from

using llvm::PatternMatch::m_LogicalAnd;
using llvm::PatternMatch::m_Value;
using llvm::PatternMatch::match;

bool is_invariant_load(const llvm::Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load != nullptr && load->isSimple() &&
         load->hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
         llvm::isDereferenceableAndAlignedPointer(load->getPointerOperand(), load->getType(),
                                                  load->getAlign(), load->getDataLayout());
}

class Hoisting {
 public:
  Hoisting(const llvm::Instruction& place, const llvm::DominatorTree& dominators)
      : place_(place), dominators_(dominators) {}

  bool is_available(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction == nullptr || dominators_.dominates(instruction, &place_);
  }

  // Whether it can be computed at the place, whatever happens before it is computed now.
  bool may_hoist(const llvm::Value& value, unsigned depth = 0) const {
    if (is_available(value))
      return true;
    const auto& instruction = llvm::cast<llvm::Instruction>(value);
    if (depth > kMaxConditionDepth || llvm::isa<llvm::PHINode, llvm::CallBase>(instruction) ||
        !(is_invariant_load(instruction) || (!instruction.mayReadOrWriteMemory() &&
                                             llvm::isSafeToSpeculativelyExecute(&instruction))))
      return false;
    return llvm::all_of(instruction.operands(),
                        [&](const llvm::Use& operand) { return may_hoist(*operand, depth + 1); });
  }

 private:
  const llvm::Instruction& place_;
  const llvm::DominatorTree& dominators_;
};

// The bounds that a condition compares ids with. A constant selects some of the work-items, and so
// may an argument (i < n / 2); several arguments, or sizes of images, are what a range is rounded
// up from.
class Bounds {
 public:
  Bounds(const llvm::Value& condition, const LaneShapes& shapes) : shapes_(shapes) {
    collect(condition);
  }
  bool are_of_range() const { return !has_other_ && (is_loaded_ || count_ > 1); }

 private:
  void collect(const llvm::Value& condition) {
    const llvm::Value *a = nullptr, *b = nullptr;
    if (match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))) {
      collect(*a);
      collect(*b);
      return;
    }
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    const bool has_load =
        compare != nullptr && llvm::any_of(compare->operands(), [](const llvm::Use& operand) {
          const auto* bound = llvm::dyn_cast<llvm::Instruction>(operand);
          return bound != nullptr && is_invariant_load(*bound);
        });
    if (shapes_.is_uniform(condition) && !shapes_.differs_by_row(condition)) {
      has_other_ |= !has_load; // a wish of the program, perhaps false
      return;
    }
    has_other_ |= compare == nullptr || !compare->isRelational() ||
                  llvm::any_of(compare->operands(), llvm::IsaPred<llvm::Constant>);
    is_loaded_ |= has_load;
    ++count_;
  }

  const LaneShapes& shapes_;
  unsigned count_ = 0;
  bool is_loaded_ = false;
  bool has_other_ = false;
};

// Whether work-items that take the second successor only skip what the others do.
bool only_skips(const llvm::BranchInst& branch, const llvm::DominatorTree& dominators) {
  const auto* inside = branch.getSuccessor(0);
  const auto* behind = branch.getSuccessor(1);
  if (inside->getSinglePredecessor() == nullptr || inside == behind)
    return false;
  llvm::SmallVector<llvm::BasicBlock*, 8> skipped;
  dominators.getDescendants(const_cast<llvm::BasicBlock*>(inside), skipped);
  return llvm::all_of(skipped, [&](const llvm::BasicBlock* block) {
    return llvm::all_of(llvm::successors(block), [&](const llvm::BasicBlock* next) {
      return next == behind || dominators.dominates(inside, next);
    });
  });
}

} // namespace

llvm::SmallVector<llvm::BranchInst*, 2>
find_late_guards(llvm::Instruction& place, const Analyses& analyses,
                 llvm::function_ref<bool(llvm::Value& condition)> is_decidable) {
  const auto& shapes = analyses.shapes;
  const auto& dominators = analyses.dominators;
  const Hoisting hoisting(place, dominators);
  llvm::SmallVector<llvm::BranchInst*, 2> found;
  for (auto& block : *place.getFunction()) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional() || found.size() == kMaxLateGuards ||
        !dominators.dominates(&place, branch))
      continue;
    auto& condition = *branch->getCondition();
    if ((!shapes.is_uniform(condition) || shapes.differs_by_row(condition)) &&
        only_skips(*branch, dominators) && Bounds(condition, shapes).are_of_range() &&
        is_decidable(condition) && hoisting.may_hoist(condition))
      found.push_back(branch);
  }
  return found;
}

void hoist_before(llvm::Value& value, llvm::Instruction& place,
                  const llvm::DominatorTree& dominators) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || dominators.dominates(instruction, &place))
    return;
  for (auto& operand : instruction->operands())
    hoist_before(*operand, place, dominators);
  instruction->dropLocation();
  instruction->moveBefore(place.getIterator());
}

} // namespace heddle::compiler
