// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/hoist_barriers.h"

#include "compiler/analysis/leader_blocks.h"
#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/lower/lower_barriers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

class LeaderLoops {
 public:
  explicit LeaderLoops(llvm::Function& body)
      : body_(body), dominators_(body), loops_(dominators_),
        leader_(leader_blocks(body, dominators_)) {}

  // The outermost of these loops that have barriers.
  llvm::SmallVector<llvm::Loop*, 4> find() {
    llvm::SmallVector<llvm::Loop*, 4> found;
    if (leader_.empty())
      return found;
    llvm::SmallVector<llvm::Loop*, 8> work(loops_.begin(), loops_.end());
    while (!work.empty()) {
      auto* loop = work.pop_back_val();
      if (!llvm::any_of(loop->blocks(), has_barrier))
        continue;
      if (only_leader_has_effects(*loop) && is_convergent(*loop))
        found.push_back(loop);
      else
        work.append(loop->begin(), loop->end());
    }
    return found;
  }

  void move_barriers_out(llvm::Loop& loop) {
    llvm::simplifyLoop(&loop, &dominators_, &loops_, nullptr, nullptr, nullptr, false);
    llvm::SmallVector<llvm::CallInst*, 4> barriers;
    for (auto* block : loop.blocks())
      for (auto& instruction : *block)
        if (is_barrier(instruction))
          barriers.push_back(llvm::cast<llvm::CallInst>(&instruction));
    if (barriers.empty() || !loop.isLoopSimplifyForm()) // simplifyLoop() may split the loop
      return;
    barriers.front()->clone()->insertBefore(
        loop.getLoopPreheader()->getTerminator()->getIterator());
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (auto* exit : exits)
      barriers.front()->clone()->insertBefore(exit->getFirstInsertionPt());
    for (auto* barrier : barriers) {
      // Barriers kept these loops from being unrolled; they stay rolled.
      for (auto* around = loops_.getLoopFor(barrier->getParent()); around != loop.getParentLoop();
           around = around->getParentLoop())
        llvm::addStringMetadataToLoop(around, "llvm.loop.unroll.disable", 1);
      barrier->eraseFromParent();
    }
  }

 private:
  static bool has_barrier(const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const auto& instruction) { return is_barrier(instruction); });
  }

  // Whether all other work-items neither write to memory in the loop nor read what barriers make
  // visible to them.
  bool only_leader_has_effects(const llvm::Loop& loop) const {
    for (const auto* block : loop.blocks())
      for (const auto& instruction : *block) {
        if (instruction.isAtomic()) // barriers order what other groups observe
          return false;
        if (!leader_.contains(block) && has_effect(instruction, loop))
          return false;
      }
    return true;
  }

  bool has_effect(const llvm::Instruction& instruction, const llvm::Loop& loop) const {
    if (is_barrier(instruction) || is_leader_query(instruction))
      return false;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
      return false;
    if (instruction.mayHaveSideEffects())
      return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return !is_invariant_load(*load) && is_observable(*load, loop);
    return instruction.mayReadFromMemory();
  }

  // Whether control flow depends on the value, or a use outside the loop.
  static bool is_observable(const llvm::Instruction& value, const llvm::Loop& loop) {
    llvm::SmallPtrSet<const llvm::Instruction*, 16> seen{&value};
    llvm::SmallVector<const llvm::Instruction*, 16> work{&value};
    while (!work.empty())
      for (const auto* user : work.pop_back_val()->users()) {
        const auto* instruction = llvm::cast<llvm::Instruction>(user);
        if (instruction->isTerminator() || !loop.contains(instruction))
          return true;
        if (seen.insert(instruction).second)
          work.push_back(instruction);
      }
    return false;
  }

  // Whether all work-items enter the loop together, and leave it by the same exit.
  bool is_convergent(const llvm::Loop& loop) {
    if (!uniformity_)
      uniformity_.emplace(body_, false);
    const auto has_uniform_successor = [&](const llvm::BasicBlock* block) {
      return uniformity_->is_convergent(*block) && !uniformity_->has_divergent_branch(*block);
    };
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    return !exiting.empty() && llvm::all_of(exiting, has_uniform_successor) &&
           llvm::all_of(llvm::predecessors(loop.getHeader()), has_uniform_successor);
  }

  llvm::Function& body_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  LeaderBlocks leader_;
  std::optional<WorkGroupUniformity> uniformity_;
};

} // namespace

llvm::PreservedAnalyses HoistBarriersPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& /*analyses*/) {
  // Not if barriers are counted: one sub-group may be at another one than the rest.
  if (llvm::none_of(llvm::instructions(function), [](auto& one) { return is_barrier(one); }) ||
      llvm::any_of(llvm::instructions(function), [](auto& one) { return is_yield(one); }))
    return llvm::PreservedAnalyses::all();
  LeaderLoops loops(function);
  for (auto* loop : loops.find())
    loops.move_barriers_out(*loop);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
