// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/uniformize_guards.h"

#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/analysis/group_strided_loop.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "compiler/vectorize/transform/find_guards.h"
#include "compiler/vectorize/transform/late_guards.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

using llvm::PatternMatch::m_LogicalAnd;
using llvm::PatternMatch::m_LogicalOr;
using llvm::PatternMatch::m_Not;
using llvm::PatternMatch::m_Value;
using llvm::PatternMatch::match;

llvm::Function& lane_intrinsic(llvm::Module& module, llvm::StringRef name,
                               llvm::FunctionType* type) {
  auto& function = *llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  function.setDoesNotThrow();
  function.setWillReturn();
  return function;
}

class GuardRewriter {
 public:
  GuardRewriter(llvm::Function& kernel, unsigned width, const LaneShapes& shapes)
      : kernel_(kernel), module_(*kernel.getParent()), params_(work_item_params(kernel)),
        width_(width), shapes_(shapes) {}

  void rewrite(const Guard& guard) {
    auto& context = module_.getContext();
    auto* branch = llvm::cast<llvm::BranchInst>(guard.block->getTerminator());
    auto* inside = branch->getSuccessor(guard.inside);
    auto* outside = branch->getSuccessor(1 - guard.inside);
    auto* end = leads_to_return(outside) ? outside : return_block();
    auto& condition = *branch->getCondition();
    auto* some = llvm::BasicBlock::Create(context, "not_all_inside", &kernel_, end);
    auto* restart = restart_block(*end, branch->getDebugLoc());
    llvm::IRBuilder<> builder(branch);
    all_outside_ = nullptr;
    auto* all = emit_all(builder, condition, guard.inside == 0);
    builder.CreateCondBr(all, inside, some);
    llvm::IRBuilder<> otherwise(some);
    otherwise.SetCurrentDebugLocation(branch->getDebugLoc());
    if (all_outside_ != nullptr && end == outside)
      otherwise.CreateCondBr(all_outside_, end, restart);
    else
      otherwise.CreateBr(restart);
    if (end != outside || all_outside_ == nullptr)
      outside->removePredecessor(guard.block);
    branch->eraseFromParent();
  }

  void rewrite_late(const Guards& guards, const llvm::DominatorTree& dominators) {
    auto& place = *guards.place;
    llvm::IRBuilder<> builder(&place);
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    llvm::Value* all = builder.getTrue();
    for (auto* branch : guards.late) {
      auto& condition = *branch->getCondition();
      hoist_before(condition, place, dominators);
      all = builder.CreateLogicalAnd(all, emit_all(builder, condition, true));
      branch->getSuccessor(1)->removePredecessor(branch->getParent());
      llvm::ReplaceInstWithInst(branch, llvm::BranchInst::Create(branch->getSuccessor(0)));
    }
    // What was hoisted may be poison where it is not used.
    all = builder.CreateFreeze(all);
    auto* end = return_block();
    auto* block = place.getParent();
    auto* rest = llvm::SplitBlock(block, &place);
    auto* restart = restart_block(*end, llvm::DebugLoc());
    llvm::ReplaceInstWithInst(block->getTerminator(), llvm::BranchInst::Create(rest, restart, all));
  }

 private:
  llvm::BasicBlock* restart_block(llvm::BasicBlock& end, const llvm::DebugLoc& location) {
    auto& context = module_.getContext();
    auto* restart = llvm::BasicBlock::Create(context, "restart", &kernel_, &end);
    llvm::IRBuilder<> builder(restart);
    builder.SetCurrentDebugLocation(location);
    builder.CreateCall(
        &lane_intrinsic(module_, "__heddle_sub_group_restart",
                        llvm::FunctionType::get(llvm::Type::getVoidTy(context), false)));
    builder.CreateBr(&end);
    return restart;
  }

  // The kernel's only return, alone in its block.
  llvm::BasicBlock* return_block() {
    for (auto& block : kernel_)
      if (auto* leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
        return block.size() == 1 ? &block : llvm::SplitBlock(&block, leave);
    llvm_unreachable("a prepared kernel has a return");
  }

  // Emits whether the condition is true (or false) in all lanes of all rows.
  llvm::Value* emit_all(llvm::IRBuilder<>& builder, llvm::Value& condition, bool is_true) {
    llvm::Value *a = nullptr, *b = nullptr;
    if (match(&condition, m_Not(m_Value(a))))
      return emit_all(builder, *a, !is_true);
    if (is_true ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                : match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
      auto* first = emit_all(builder, *a, is_true);
      return builder.CreateLogicalAnd(first, emit_all(builder, *b, is_true));
    }
    const bool is_by_row = shapes_.differs_by_row(condition);
    auto* outside = all_outside_;
    llvm::Value* all = nullptr;
    if (!shapes_.is_uniform(condition))
      all = emit_all_lanes(builder, *match_guard_limit(condition, is_true, shapes_));
    else
      all = is_true ? &condition : builder.CreateNot(&condition);
    if (!is_by_row)
      return all;
    all_outside_ = outside;
    return emit_all_rows(builder, all);
  }

  llvm::Value* emit_all_lanes(llvm::IRBuilder<>& builder, const UniformBound& found) {
    auto* type = found.number->getType();
    const auto bits = type->getIntegerBitWidth();
    const bool is_signed = llvm::ICmpInst::isSigned(found.predicate);
    const auto number = [&](const llvm::APInt& value) {
      return llvm::ConstantInt::get(type, value);
    };
    const llvm::APInt last_lane_offset(bits, found.stride * (width_ - 1));
    const auto lowest =
        is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
    const auto highest =
        is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getAllOnes(bits);
    auto* first = emit_lane_0(builder, found.number);
    if (found.predicate == llvm::ICmpInst::ICMP_NE)
      return builder.CreateICmpUGT(builder.CreateSub(found.limit, first), number(last_lane_offset),
                                   "inside");
    const auto no_higher = is_signed ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_ULE;
    const auto no_lower = is_signed ? llvm::ICmpInst::ICMP_SGE : llvm::ICmpInst::ICMP_UGE;
    // Wrap flags of other affine values hold in active lanes only.
    const auto never_wraps = [&] {
      return !is_signed && is_plain_id(*found.number, params_)
                 ? static_cast<llvm::Value*>(builder.getTrue())
                 : builder.CreateICmp(no_higher, first, number(highest - last_lane_offset));
    };
    if (!found.is_below())
      return builder.CreateAnd(builder.CreateICmp(found.predicate, first, found.limit),
                               never_wraps());
    // If limit - last_lane_offset does not wrap around, lanes that are all below the limit do not
    // either.
    auto* has_room = builder.CreateICmp(no_lower, found.limit, number(lowest + last_lane_offset));
    auto* is_below = builder.CreateICmp(found.predicate, first,
                                        builder.CreateSub(found.limit, number(last_lane_offset)));
    auto* is_above = builder.CreateICmp(llvm::ICmpInst::getInversePredicate(found.predicate), first,
                                        found.limit);
    auto* outside = builder.CreateAnd(is_above, never_wraps());
    all_outside_ =
        all_outside_ == nullptr ? outside : builder.CreateLogicalOr(all_outside_, outside);
    return builder.CreateAnd(has_room, is_below, "inside");
  }

  llvm::Value* emit_all_rows(llvm::IRBuilder<>& builder, llvm::Value* condition) {
    auto* type = builder.getInt1Ty();
    auto& rows = lane_intrinsic(module_, "__heddle_sub_group_all_rows",
                                llvm::FunctionType::get(type, {type}, false));
    rows.setDoesNotAccessMemory();
    return builder.CreateCall(&rows, {condition}, "all_rows");
  }

  llvm::Function& kernel_;
  llvm::Module& module_;
  const WorkItemParams params_;
  const unsigned width_;
  const LaneShapes& shapes_;
  llvm::Value* all_outside_ = nullptr; // if true, all lanes fail the guard
};

} // namespace

static void uniformize_guards(llvm::Function& kernel, const VectorPlan& plan) {
  const Analyses analyses(kernel, plan);
  const auto found = find_guards(kernel, analyses);
  GuardRewriter rewriter(kernel, plan.width, analyses.shapes);
  for (const auto& guard : found.found)
    rewriter.rewrite(guard);
  if (!found.late.empty())
    rewriter.rewrite_late(found, analyses.dominators);
  if (!found.empty())
    llvm::EliminateUnreachableBlocks(kernel);
}

llvm::PreservedAnalyses
UniformizeGuardsPass::run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& body = *kernel.body;
  if (kernel.plan->has_guards)
    uniformize_guards(body, body_plan(kernel));
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
