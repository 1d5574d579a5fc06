// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/steps.h"

#include "compiler/vectorize/analysis/row_split.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

Step operator+(const Step& a, const Step& b) {
  if (a.kind == Step::Kind::varying || b.kind == Step::Kind::varying)
    return Step::varying();
  if (a.kind == Step::Kind::unvisited || b.kind == Step::Kind::unvisited)
    return {};
  std::int64_t sum = 0;
  return __builtin_add_overflow(a.size, b.size, &sum) ? Step::varying() : Step::of(sum);
}

Step join(const Step& a, const Step& b) {
  if (a.kind == Step::Kind::unvisited)
    return b;
  return b.kind == Step::Kind::unvisited || a == b ? a : Step::varying();
}

bool is_one(const Step& step) { return step.kind == Step::Kind::constant && step.size == 1; }

std::optional<std::int64_t> constant(const llvm::Instruction& instruction, unsigned i) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(i));
  return number != nullptr && number->getValue().getSignificantBits() <= 63
             ? std::optional(number->getSExtValue())
             : std::nullopt;
}

// Whether it is x & (n - 1) or x % n for a variable n: the index of a ring, which probably has many
// more elements than a step.
bool is_index_of_ring(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::And:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    return !llvm::isa<llvm::Constant>(instruction.getOperand(1));
  default:
    return false;
  }
}

// What becomes of the phi in an iteration, before it begins again at the end of a ring.
const llvm::Instruction* next_value(const llvm::PHINode& phi, const llvm::BasicBlock& latch) {
  const auto* next = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(&latch));
  if (next != nullptr && is_index_of_ring(*next))
    for (const auto& operand : next->operands())
      if (const auto* index = llvm::dyn_cast<llvm::Instruction>(operand);
          index != nullptr && index->getNumOperands() != 0 && index->getOperand(0) == &phi)
        return index;
  return next;
}

} // namespace

Steps::Steps(const llvm::Function& function, const llvm::Value& id)
    : layout_(function.getParent()->getDataLayout()) {
  origins_[&id] = Step::of(1);
  compute_all(function);
}

Steps::Steps(const llvm::Function& function, const llvm::Loop& loop)
    : layout_(function.getParent()->getDataLayout()) {
  const auto* latch = loop.getLoopLatch();
  for (const auto& phi : loop.getHeader()->phis())
    origins_[&phi] = latch == nullptr ? Step::varying() : of_recurrence(phi, *latch);
  compute_all(function);
}

void Steps::compute_all(const llvm::Function& function) {
  constexpr unsigned kMaxRounds = 8;
  const llvm::ReversePostOrderTraversal<const llvm::Function*> blocks(&function);
  bool changes = true;
  for (unsigned round = 0; changes && round < kMaxRounds; ++round) {
    changes = false;
    for (const auto* block : blocks)
      for (const auto& instruction : *block) {
        if (origins_.contains(&instruction))
          continue;
        const auto step = compute(instruction);
        changes |= step != steps_.lookup(&instruction);
        steps_[&instruction] = step;
      }
  }
}

Step Steps::of(const llvm::Value& value) const {
  if (const auto origin = origins_.find(&value); origin != origins_.end())
    return origin->second;
  return llvm::isa<llvm::Instruction>(value) ? steps_.lookup(&value) : Step::of(0);
}

// Of a counter, or of a pointer that moves on.
Step Steps::of_recurrence(const llvm::PHINode& phi, const llvm::BasicBlock& latch) const {
  const auto* next = next_value(phi, latch);
  if (next == nullptr || next->getNumOperands() == 0 || next->getOperand(0) != &phi)
    return Step::varying();
  if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(next)) {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(phi.getType()), 0);
    return address->accumulateConstantOffset(layout_, offset) ? Step::of(offset.getSExtValue())
                                                              : Step::varying();
  }
  const auto change = constant(*next, 1);
  if (change && next->getOpcode() == llvm::Instruction::Add)
    return Step::of(*change);
  return Step::varying();
}

Step Steps::compute(const llvm::Instruction& instruction) const {
  using Op = llvm::Instruction;
  const auto other = [&] {
    for (const auto& operand : instruction.operands())
      if (const auto step = of(*operand.get()); !step.is_uniform())
        return step.kind == Step::Kind::unvisited ? step : Step::varying();
    return Step::of(0);
  };
  // Within a row of a number that is one more in each step.
  if (const auto split = row_split(instruction);
      split && is_one(of(*split->number)) &&
      (split->columns == nullptr || of(*split->columns).is_uniform()))
    return Step::of(split->is_row ? 0 : 1);
  switch (instruction.getOpcode()) {
  case Op::Add:
    return of_operand(instruction, 0) + of_operand(instruction, 1);
  case Op::Sub:
    return of_operand(instruction, 0) + of_operand(instruction, 1).times(-1);
  case Op::Or:
    return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()
               ? of_operand(instruction, 0) + of_operand(instruction, 1)
               : other();
  case Op::Mul:
    if (const auto factor = constant(instruction, 1))
      return of_operand(instruction, 0).times(*factor);
    return other();
  case Op::Shl:
    if (const auto bits = constant(instruction, 1); bits && *bits >= 0 && *bits < 63)
      return of_operand(instruction, 0).times(std::int64_t{1} << *bits);
    return other();
  case Op::AShr: // of an id that was narrowed: (x << a) >> b
  case Op::LShr: {
    const auto step = of_operand(instruction, 0);
    const auto bits = constant(instruction, 1);
    if (step.kind == Step::Kind::constant && bits && *bits >= 0 && *bits < 63 &&
        step.size % (std::int64_t{1} << *bits) == 0)
      return Step::of(step.size >> *bits);
    return other();
  }
  case Op::And:
  case Op::URem:
  case Op::SRem:
    if (is_index_of_ring(instruction)) {
      const bool is_first = of_operand(instruction, 1).is_uniform();
      if (is_first || (instruction.isCommutative() && of_operand(instruction, 0).is_uniform()))
        return of_operand(instruction, is_first ? 0 : 1);
    }
    if (instruction.getOpcode() != Op::And)
      return other();
    if (const auto mask = constant(instruction, 1); mask && llvm::isMask_64(*mask >> 1))
      return *mask >= INT32_MAX ? of_operand(instruction, 0) : other();
    return other();
  case Op::SExt:
  case Op::ZExt:
  case Op::Trunc:
  case Op::Freeze:
  case Op::AddrSpaceCast:
    return of_operand(instruction, 0);
  case Op::GetElementPtr:
    return of_address(llvm::cast<llvm::GetElementPtrInst>(instruction));
  case Op::PHI: {
    Step step;
    for (const auto& incoming : llvm::cast<llvm::PHINode>(instruction).incoming_values())
      step = join(step, of(*incoming.get()));
    return step;
  }
  case Op::Select:
    return join(of_operand(instruction, 1), of_operand(instruction, 2));
  default:
    // An index that is clamped is that of most work-items.
    if (const auto* limit = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction))
      return of(*limit->getLHS()) + of(*limit->getRHS());
    return other();
  }
}

Step Steps::of_address(const llvm::GetElementPtrInst& address) const {
  auto sum = of(*address.getPointerOperand());
  for (auto index = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); index != end;
       ++index)
    if (!index.isStruct())
      sum = sum + of(*index.getOperand())
                      .times(static_cast<std::int64_t>(
                          index.getSequentialElementStride(layout_).getFixedValue()));
  return sum;
}

} // namespace heddle::compiler
