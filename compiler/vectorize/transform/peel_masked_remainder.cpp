// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/peel_masked_remainder.h"

#include "compiler/vectorize/analysis/group_strided_loop.h"

namespace heddle::compiler {
namespace {

constexpr std::size_t kMaxPeeledInstructions = 4000;

// The remainder's initial values come from divergent edges: their phis are not known to be affine.
// If both incoming values have the same stride, the phi is replaced by one of lane 0's value.
void restore_affine_phis(llvm::BasicBlock& remainder, const LaneShapes& shapes) {
  for (auto& phi : llvm::make_early_inc_range(remainder.phis())) {
    const auto* type = phi.getType();
    if (phi.getNumIncomingValues() != 2 || !(type->isIntegerTy() || type->isPointerTy()))
      continue;
    const auto stride = shapes.stride(*phi.getIncomingValue(0));
    if (!stride || *stride == 0 || shapes.stride(*phi.getIncomingValue(1)) != stride)
      continue;
    bool no_signed_wrap = true, no_unsigned_wrap = true;
    llvm::IRBuilder<> builder(&phi);
    auto* first = builder.CreatePHI(phi.getType(), 2, phi.getName());
    for (unsigned i = 0; i < 2; ++i) {
      auto* value = phi.getIncomingValue(i);
      no_signed_wrap &= shapes.never_wraps(*value, true);
      no_unsigned_wrap &= shapes.never_wraps(*value, false);
      builder.SetInsertPoint(phi.getIncomingBlock(i)->getTerminator());
      first->addIncoming(emit_lane_0(builder, value), phi.getIncomingBlock(i));
    }
    builder.SetInsertPoint(&remainder, remainder.getFirstInsertionPt());
    builder.SetCurrentDebugLocation(remainder.getTerminator()->getDebugLoc());
    phi.replaceAllUsesWith(emit_affine(builder, first, *stride, no_unsigned_wrap, no_signed_wrap));
    phi.eraseFromParent();
  }
}

llvm::BasicBlock* peel_one_loop(llvm::Function& kernel, const VectorPlan& plan,
                                llvm::SmallPtrSetImpl<llvm::BasicBlock*>& seen,
                                const RedistributedLoops& redistributed, UnmaskedLoops& peeled) {
  Analyses analyses(kernel, plan);
  for (auto* loop : analyses.loops.getLoopsInPreorder())
    if (seen.insert(loop->getHeader()).second)
      if (const auto shape = GroupStridedLoop::find(*loop, analyses.shapes))
        return peel_loop(kernel, plan.width, *shape, redistributed.loops.lookup(loop->getHeader()),
                         peeled);
  return nullptr;
}

} // namespace

static UnmaskedLoops peel_masked_remainder(llvm::Function& kernel, const VectorPlan& plan,
                                           const RedistributedLoops& redistributed) {
  UnmaskedLoops peeled;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
  while (kernel.getInstructionCount() <= kMaxPeeledInstructions) {
    auto* remainder = peel_one_loop(kernel, plan, seen, redistributed, peeled);
    if (remainder == nullptr)
      break;
    form_lcssa(kernel);
    restore_affine_phis(*remainder, Analyses(kernel, plan).shapes);
  }
  return peeled;
}

// All variants that are emitted after this have full sub-groups.
static void assume_full_subgroups(RedistributedLoops& redistributed) {
  for (auto* known : redistributed.has_full_subgroup) {
    known->replaceAllUsesWith(llvm::ConstantInt::getTrue(known->getContext()));
    known->eraseFromParent();
  }
  redistributed.has_full_subgroup.clear();
}

llvm::PreservedAnalyses
PeelMaskedRemainderPass::run_on_kernel(Kernel& kernel,
                                       llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& body = *kernel.body;
  auto& plan = *kernel.plan;
  if (!plan.is_vectorized())
    return llvm::PreservedAnalyses::all();
  assume_full_subgroups(plan.redistributed);
  plan.unmasked_loops = peel_masked_remainder(body, body_plan(kernel), plan.redistributed);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
