// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/local_memory/consecutive_accesses.h"

#include "compiler/local_memory/lane_masks.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {

std::optional<ConsecutiveAccesses::Check>
ConsecutiveAccesses::check_of(const llvm::BranchInst& branch, llvm::Value* condition) {
  using namespace llvm::PatternMatch;
  for (const bool is_general_first : {true, false}) {
    llvm::Constant* elsewhere = nullptr;
    if (auto* mask = mask_of(condition, is_general_first);
        mask != nullptr && match(mask, m_c_And(m_Constant(elsewhere), m_Value())))
      return Check{branch.getSuccessor(is_general_first ? 0 : 1),
                   branch.getSuccessor(is_general_first ? 1 : 0), elsewhere};
  }
  return std::nullopt;
}

// Executes a block but for its masked accesses to memory, which are added to `accesses`.
bool ConsecutiveAccesses::execute_beside(llvm::BasicBlock& block, Accesses& accesses) {
  for (auto& instruction : block) {
    if (instruction.isTerminator())
      return true;
    if (llvm::isa<llvm::PHINode>(instruction))
      return false;
    if (!instruction.mayReadOrWriteMemory()) {
      // One of the sides is not executed.
      if (!llvm::isSafeToSpeculativelyExecute(&instruction) || !execute_(instruction))
        return false;
      continue;
    }
    if (!llvm::isa<llvm::IntrinsicInst>(instruction))
      return false;
    accesses.push_back(&instruction);
  }
  return true;
}

// Through the blocks of consecutive accesses, each of which ends with the next check. The block
// behind the last one, or null if there is anything else.
llvm::BasicBlock* ConsecutiveAccesses::follow(llvm::BasicBlock* block, llvm::BasicBlock* general) {
  for (;;) {
    if (block == general || block->getSinglePredecessor() == nullptr ||
        !execute_beside(*block, accesses_))
      return nullptr;
    last_ = block;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr)
      return nullptr;
    if (branch->isUnconditional())
      return branch->getSuccessor(0);
    auto* condition = values_.value_of(branch->getCondition());
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(condition)) {
      block = branch->getSuccessor(constant->isOne() ? 0 : 1);
      continue;
    }
    const auto check = check_of(*branch, condition);
    if (!check || check->general != general)
      return nullptr;
    elsewhere_.push_back(check->elsewhere);
    block = check->consecutive;
  }
}

// Whether a check has found the lanes, but those elsewhere, at consecutive elements.
bool ConsecutiveAccesses::is_consecutive(const TracedAddress& first, const TracedAddress& all,
                                         llvm::Type* element) {
  if (first.root != all.root)
    return false;
  const auto bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(element).getFixedValue());
  return llvm::any_of(elsewhere_, [&](const llvm::Constant* elsewhere) {
    for (unsigned i = 0; i < all.offsets.size(); ++i)
      if (is_active(elsewhere, i) != true && all.offsets[i] != first.offsets.front() + i * bytes)
        return false;
    return true;
  });
}

bool ConsecutiveAccesses::are_same(const llvm::Instruction& consecutive,
                                   const llvm::Instruction& general) {
  const auto& one = llvm::cast<llvm::IntrinsicInst>(consecutive);
  const auto& other = llvm::cast<llvm::IntrinsicInst>(general);
  const bool are_loads = one.getIntrinsicID() == llvm::Intrinsic::masked_load &&
                         other.getIntrinsicID() == llvm::Intrinsic::masked_gather;
  const bool are_stores = one.getIntrinsicID() == llvm::Intrinsic::masked_store &&
                          other.getIntrinsicID() == llvm::Intrinsic::masked_scatter;
  if (!are_loads && !are_stores)
    return false;
  const unsigned pointer = are_loads ? 0 : 1;
  for (unsigned i = 0; i < 3; ++i)
    if (i != pointer &&
        values_.value_of(one.getArgOperand(i)) != values_.value_of(other.getArgOperand(i)))
      return false;
  const auto* first = values_.address_of(one.getArgOperand(pointer));
  const auto* all = values_.address_of(other.getArgOperand(pointer));
  auto* type = are_loads ? one.getType() : one.getArgOperand(0)->getType();
  return first != nullptr && all != nullptr && is_consecutive(*first, *all, type->getScalarType());
}

// Whether each consecutive access is one of the general ones. Loads may be in another order.
bool ConsecutiveAccesses::pair(Accesses general) {
  if (accesses_.size() != general.size())
    return false;
  for (auto* one : accesses_) {
    const auto other =
        llvm::find_if(general, [&](llvm::Instruction* access) { return are_same(*one, *access); });
    if (other == general.end() || (one->mayWriteToMemory() && other != general.begin()))
      return false;
    same_[one] = *other;
    general.erase(other);
  }
  return true;
}

llvm::BasicBlock* ConsecutiveAccesses::general_block(const llvm::BranchInst& branch,
                                                     llvm::Value* condition) {
  const auto check = check_of(branch, condition);
  if (!check)
    return nullptr;
  elsewhere_ = {check->elsewhere};
  auto* join = follow(check->consecutive, check->general);
  Accesses general;
  if (join == nullptr || check->general->getSingleSuccessor() != join ||
      !execute_beside(*check->general, general) || !pair(std::move(general)))
    return nullptr;
  const bool have_same_results = llvm::all_of(join->phis(), [&](llvm::PHINode& phi) {
    const auto* value = phi.getIncomingValueForBlock(last_);
    const auto* instead = phi.getIncomingValueForBlock(check->general);
    const auto access = same_.find(value);
    return instead == (access != same_.end() ? access->second : value);
  });
  return have_same_results ? check->general : nullptr;
}

} // namespace heddle::compiler
