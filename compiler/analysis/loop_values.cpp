// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/loop_values.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace heddle::compiler {
namespace {

// What a value is on the way from a block to its successor: not what it is selected to be where
// the loop ends instead.
const llvm::Value& value_on_edge(const llvm::Value& value, const llvm::BasicBlock* from,
                                 const llvm::BasicBlock* to) {
  const auto* select = llvm::dyn_cast<llvm::SelectInst>(&value);
  if (select == nullptr)
    return value;
  while (from->getUniqueSuccessor() != nullptr && from->getUniquePredecessor() != nullptr) {
    to = from;
    from = from->getUniquePredecessor();
  }
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
  if (branch == nullptr || branch->isUnconditional() ||
      branch->getCondition() != select->getCondition())
    return value;
  return branch->getSuccessor(0) == to ? *select->getTrueValue() : *select->getFalseValue();
}

} // namespace

bool LoopValues::has(Predicate is_searched) const {
  return llvm::any_of(loop_.blocks(),
                      [&](const auto* block) { return llvm::any_of(*block, is_searched); });
}

bool LoopValues::depends_on(const llvm::Value& value, Predicate is_searched) const {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*, 16> pending{&value};
  while (!pending.empty()) {
    const auto* one = llvm::dyn_cast<llvm::Instruction>(pending.pop_back_val());
    if (one == nullptr || !loop_.contains(one) || !seen.insert(one).second)
      continue;
    if (is_searched(*one))
      return true;
    for (const auto& operand : one->operands())
      pending.push_back(operand.get());
  }
  return false;
}

void LoopValues::add_incoming(const llvm::PHINode& phi,
                              llvm::SmallVectorImpl<const llvm::Value*>& values) const {
  for (const auto& [block, value] : llvm::zip(phi.blocks(), phi.incoming_values()))
    if (loop_.contains(block))
      values.push_back(&value_on_edge(*value, block, phi.getParent()));
}

bool LoopValues::may_stay(const llvm::PHINode& value) const {
  llvm::SmallPtrSet<const llvm::Value*, 8> seen;
  llvm::SmallVector<const llvm::Value*, 8> pending;
  add_incoming(value, pending);
  while (!pending.empty()) {
    const auto* one = pending.pop_back_val();
    if (one == &value)
      return true;
    if (!seen.insert(one).second)
      continue;
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(one))
      pending.append({select->getTrueValue(), select->getFalseValue()});
    else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(one);
             phi != nullptr && phi->getParent() != loop_.getHeader() && loop_.contains(phi))
      add_incoming(*phi, pending);
  }
  return false;
}

bool LoopValues::is_one_of_few(const llvm::Value& address) const {
  const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&address);
  if (element == nullptr || !loop_.contains(element))
    return is_chosen(address);
  return llvm::all_of(element->operands(), [&](const auto& one) { return is_chosen(*one); });
}

// Whether the loop takes the value from outside, one or another in each iteration.
bool LoopValues::is_chosen(const llvm::Value& value) const {
  llvm::SmallPtrSet<const llvm::Value*, 8> seen;
  llvm::SmallVector<const llvm::Value*, 8> pending{&value};
  while (!pending.empty()) {
    const auto* one = llvm::dyn_cast<llvm::Instruction>(pending.pop_back_val());
    if (one == nullptr || !loop_.contains(one) || !seen.insert(one).second)
      continue;
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(one))
      pending.append({select->getTrueValue(), select->getFalseValue()});
    else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(one))
      pending.append(phi->op_begin(), phi->op_end());
    else if (llvm::isa<llvm::CastInst>(one))
      pending.push_back(one->getOperand(0));
    else
      return false;
  }
  return true;
}

} // namespace heddle::compiler
