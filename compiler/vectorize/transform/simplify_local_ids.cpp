// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/simplify_local_ids.h"

#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomConditionCache.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kEndOfIds = 1 << 13; // also of those of inactive lanes

struct MaskedId {
  llvm::Instruction* mask = nullptr;
  llvm::Value* masked = nullptr;
  llvm::APInt bits;
};

// An id, or one plus a constant.
llvm::SmallVector<MaskedId, 8> find_masked_ids(llvm::Function& kernel) {
  using namespace llvm::PatternMatch;
  const auto params = work_item_params(kernel);
  llvm::SmallVector<MaskedId, 8> found;
  for (auto& instruction : llvm::instructions(kernel)) {
    llvm::Value *masked = nullptr, *id = nullptr;
    const llvm::APInt* bits = nullptr;
    if (!match(&instruction, m_And(m_Value(masked), m_LowBitMask(bits))))
      continue;
    if (!match(masked, m_Add(m_Value(id), m_ConstantInt())))
      id = masked;
    if (llvm::is_contained(params.local_id, id))
      found.push_back({&instruction, masked, *bits});
  }
  return found;
}

// The range is an attribute only for as long as LLVM is asked for known bits: with it LLVM makes
// conditions of 64 bits of those on ids of 32.
class KnownRanges {
 public:
  explicit KnownRanges(llvm::Function& kernel) : params_(work_item_params(kernel)) {
    const llvm::ConstantRange range(llvm::APInt(64, 0), llvm::APInt(64, kEndOfIds));
    for (auto* id : params_.local_id)
      id->addAttr(llvm::Attribute::get(kernel.getContext(), llvm::Attribute::Range, range));
  }
  ~KnownRanges() {
    for (auto* id : params_.local_id)
      id->removeAttr(llvm::Attribute::Range);
  }
  KnownRanges(const KnownRanges&) = delete;
  KnownRanges& operator=(const KnownRanges&) = delete;

 private:
  const WorkItemParams params_;
};

} // namespace

void simplify_local_ids(llvm::Function& kernel) {
  if (!has_work_item_params(kernel))
    return;
  const auto masked_ids = find_masked_ids(kernel);
  if (masked_ids.empty())
    return;
  const KnownRanges ranges(kernel);
  llvm::DominatorTree dominators(kernel);
  llvm::AssumptionCache assumptions(kernel);
  llvm::DomConditionCache conditions;
  for (auto& block : kernel)
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        branch != nullptr && branch->isConditional())
      conditions.registerBranch(branch);
  const llvm::SimplifyQuery query(kernel.getParent()->getDataLayout(), nullptr, &dominators,
                                  &assumptions, nullptr, true, true, &conditions);
  for (const auto& [mask, masked, bits] : masked_ids) {
    const auto known = llvm::computeKnownBits(masked, query.getWithInstruction(mask));
    if (!(known.Zero | bits).isAllOnes())
      continue;
    mask->replaceAllUsesWith(masked);
    mask->eraseFromParent();
  }
}

} // namespace heddle::compiler
