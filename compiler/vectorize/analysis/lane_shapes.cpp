// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/lane_shapes.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/divergence.h"
#include "compiler/vectorize/analysis/row_split.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

LaneShapes::LaneShapes(llvm::Function& function, const VectorPlan& plan,
                       llvm::DominatorTree& dominators, llvm::CycleInfo& cycles,
                       llvm::LoopInfo& loops)
    : loops_(loops), layout_(function.getParent()->getDataLayout()),
      params_(work_item_params(function)),
      aligned_id_(plan.mapping == LaneMapping::row ? params_.local_id[0] : nullptr, plan.width),
      groups_of_small_ids_(plan.groups_of_small_ids), may_add_id_bases_(!plan.exact_ids) {
  const auto& params = params_;
  llvm::SmallPtrSet<const llvm::Value*, 4> ids;
  if (plan.mapping == LaneMapping::row)
    ids.insert(params.local_id[0]);
  else
    ids.insert(std::begin(params.local_id), std::end(params.local_id));
  lanes_ = compute_uniformity(function, dominators, cycles, std::move(ids), aligned_id_, false);
  if (plan.rows > 1)
    rows_ = compute_uniformity(function, dominators, cycles, {params.local_id[1]},
                               {nullptr, plan.width}, true);
  find_divergent_loops();
  if (plan.mapping == LaneMapping::row)
    affine_[params.local_id[0]] = Affine{1, true, true};
  find_affine_values(function);
  remove_unused_id_bases();
  likely_affine_[params.local_id[0]] = affine_.lookup(params.local_id[0]);
  finds_likely_ = true;
  find_affine_values(function);
  finds_likely_ = false;
}

bool LaneShapes::is_uniform(const llvm::Value& value) const {
  if (llvm::isa<llvm::Constant>(value) || llvm::isa<llvm::BasicBlock>(value))
    return true;
  if (!llvm::isa<llvm::Instruction, llvm::Argument>(value))
    return true; // metadata, inline assembly
  return !lanes_.isDivergent(&value);
}

std::optional<Stride> LaneShapes::stride(const llvm::Value& value) const {
  const auto affine = affine_of(value);
  return affine ? std::optional(affine->stride) : std::nullopt;
}

bool LaneShapes::never_wraps(const llvm::Value& value, bool is_signed) const {
  const auto affine = affine_of(value);
  return affine && affine->id_bases == 0 &&
         (is_signed ? affine->no_signed_wrap : affine->no_unsigned_wrap);
}

bool LaneShapes::differs_by_row(const llvm::Value& value) const {
  return rows_ && llvm::isa<llvm::Instruction, llvm::Argument>(value) && rows_->isDivergent(&value);
}

bool LaneShapes::has_divergent_branch(const llvm::BasicBlock& block) const {
  auto& lanes = const_cast<llvm::UniformityInfo&>(lanes_);
  return lanes.hasDivergentTerminator(block) ||
         (rows_ && const_cast<llvm::UniformityInfo&>(*rows_).hasDivergentTerminator(block));
}

std::optional<LaneShapes::Affine> LaneShapes::affine_of(const llvm::Value& value) const {
  if (is_uniform(value))
    return Affine{0, true, true};
  const auto& values = finds_likely_ ? likely_affine_ : affine_;
  const auto found = values.find(&value);
  return found == values.end() ? std::nullopt : found->second;
}

bool LaneShapes::extends_as_signed(const llvm::Instruction& extension) const {
  const auto affine = affine_of(*extension.getOperand(0));
  return llvm::isa<llvm::SExtInst>(extension) || !affine || !affine->no_unsigned_wrap;
}

void LaneShapes::find_divergent_loops() {
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  for (const auto* loop : loops_.getLoopsInPreorder()) {
    exiting.clear();
    loop->getExitingBlocks(exiting);
    if (llvm::any_of(exiting, [&](const auto* block) { return has_divergent_branch(*block); }))
      divergent_loops_.insert(loop);
  }
}

// Whether a divergent loop contains the value's definition, but not the block.
bool LaneShapes::leaves_divergent_loop(const llvm::Value& value,
                                       const llvm::BasicBlock& user_block) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr)
    return false;
  for (const auto* loop = loops_.getLoopFor(instruction->getParent());
       loop != nullptr && !loop->contains(&user_block); loop = loop->getParentLoop())
    if (divergent_loops_.contains(loop))
      return true;
  return false;
}

std::optional<Stride> LaneShapes::likely_stride(const llvm::Value& address) const {
  const auto found = likely_affine_.find(&address);
  return found == likely_affine_.end() || !found->second ? std::nullopt
                                                         : std::optional(found->second->stride);
}

// The affine form if no value wrapped around and min, max, select and masks had no effect.
std::optional<LaneShapes::Affine>
LaneShapes::likely_affine(const llvm::Instruction& instruction) const {
  using Op = llvm::Instruction;
  const auto same_as = [&](const llvm::Value& value) -> std::optional<Affine> {
    const auto affine = affine_of(value);
    return affine ? std::optional(Affine{affine->stride, true, true}) : std::nullopt;
  };
  const auto either = [&](const llvm::Value& a, const llvm::Value& b) -> std::optional<Affine> {
    const auto first = same_as(a);
    const auto second = same_as(b);
    if (!first || !second ||
        (first->stride != 0 && second->stride != 0 && first->stride != second->stride))
      return std::nullopt;
    return first->stride != 0 ? first : second;
  };
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
      return either(*call->getArgOperand(0), *call->getArgOperand(1));
    default:
      return std::nullopt;
    }
  }
  if (const auto split = row_split(instruction);
      split && (split->columns == nullptr || is_uniform(*split->columns)))
    if (const auto affine = affine_of(*split->number); affine && affine->stride == 1)
      return Affine{split->is_row ? 0 : affine->stride, true, true};
  if (llvm::isa<llvm::BinaryOperator>(instruction) && !instruction.isIntDivRem() &&
      llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) {
        const auto affine = affine_of(*operand);
        return affine && affine->stride == 0;
      }))
    return Affine{0, true, true};
  switch (instruction.getOpcode()) {
  case Op::Select:
    return either(*instruction.getOperand(1), *instruction.getOperand(2));
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return either(*instruction.getOperand(0), *instruction.getOperand(1));
  case Op::SExt:
  case Op::ZExt:
  case Op::Trunc:
    return instruction.getOperand(0)->getType()->isIntegerTy() ? same_as(*instruction.getOperand(0))
                                                               : std::nullopt;
  case Op::AShr:
  case Op::LShr:
    if (const auto narrowed = narrowed_value(instruction))
      if (const auto affine = affine_of(*narrowed->value))
        return Affine{affine->stride * (Stride{1} << std::min(narrowed->shift, 16U)), true, true};
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

// An optimistic data-flow analysis: values start as unknown; a stride may only be lost, not change.
void LaneShapes::find_affine_values(llvm::Function& function) {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto* block : order)
      for (const auto& instruction : *block) {
        if (instruction.getType()->isVoidTy() || is_uniform(instruction))
          continue;
        auto affine = compute_affine(instruction);
        if (!affine && finds_likely_)
          affine = likely_affine(instruction);
        const auto [entry, is_new] =
            (finds_likely_ ? likely_affine_ : affine_).try_emplace(&instruction, affine);
        if (is_new) {
          changed |= affine.has_value();
        } else if (entry->second != affine && entry->second) {
          // Monotonic: a lost stride stays lost, and flags are only cleared.
          if (affine && affine->stride != entry->second->stride)
            affine = std::nullopt;
          if (affine) {
            affine->no_signed_wrap &= entry->second->no_signed_wrap;
            affine->no_unsigned_wrap &= entry->second->no_unsigned_wrap;
            affine->id_bases |= entry->second->id_bases;
          }
          if (entry->second != affine) {
            entry->second = affine;
            changed = true;
          }
        }
      }
  }
}
} // namespace heddle::compiler
