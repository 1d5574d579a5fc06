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

class LedLoops {
 public:
  explicit LedLoops(llvm::Function& body)
      : body_(body), dominators_(body), loops_(dominators_),
        led_(leader_blocks(body, dominators_)) {}

  // The outermost loops of the kind, with barriers in them.
  llvm::SmallVector<llvm::Loop*, 4> find() {
    llvm::SmallVector<llvm::Loop*, 4> found;
    if (led_.empty())
      return found;
    llvm::SmallVector<llvm::Loop*, 8> work(loops_.begin(), loops_.end());
    while (!work.empty()) {
      auto* loop = work.pop_back_val();
      if (!llvm::any_of(loop->blocks(), has_barrier))
        continue;
      if (only_the_first_acts(*loop) && all_pass_together(*loop))
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
    if (barriers.empty() || !loop.isLoopSimplifyForm()) // if it was taken apart into two
      return;
    barriers.front()->clone()->insertBefore(
        loop.getLoopPreheader()->getTerminator()->getIterator());
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (auto* exit : exits)
      barriers.front()->clone()->insertBefore(exit->getFirstInsertionPt());
    for (auto* barrier : barriers) {
      // What a round does is not made larger.
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

  // Whether the others neither write anything in the loop nor read what barriers may let them see.
  bool only_the_first_acts(const llvm::Loop& loop) const {
    for (const auto* block : loop.blocks())
      for (const auto& instruction : *block) {
        if (instruction.isAtomic()) // barriers order what other groups see of it as well
          return false;
        if (!led_.contains(block) && acts(instruction, loop))
          return false;
      }
    return true;
  }

  bool acts(const llvm::Instruction& instruction, const llvm::Loop& loop) const {
    if (is_barrier(instruction) || is_leader_query(instruction))
      return false;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
      return false;
    if (instruction.mayHaveSideEffects())
      return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return !is_invariant_load(*load) && matters_to_others(*load, loop);
    return instruction.mayReadFromMemory();
  }

  // Whether the value decides which way work-items go, or leaves the loop.
  static bool matters_to_others(const llvm::Instruction& value, const llvm::Loop& loop) {
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

  // Whether all work-items come into the loop, and leave it by the same way.
  bool all_pass_together(const llvm::Loop& loop) {
    if (!uniformity_)
      uniformity_.emplace(body_, false);
    const auto go_on_together = [&](const llvm::BasicBlock* block) {
      return uniformity_->is_in_step(*block) && !uniformity_->parts_ways(*block);
    };
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    return !exiting.empty() && llvm::all_of(exiting, go_on_together) &&
           llvm::all_of(llvm::predecessors(loop.getHeader()), go_on_together);
  }

  llvm::Function& body_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  LeaderBlocks led_;
  std::optional<WorkGroupUniformity> uniformity_;
};

} // namespace

static void hoist_barriers(llvm::Function& body) {
  if (llvm::none_of(llvm::instructions(body), [](auto& one) { return is_barrier(one); }))
    return;
  LedLoops loops(body);
  for (auto* loop : loops.find())
    loops.move_barriers_out(*loop);
}

llvm::PreservedAnalyses HoistBarriersPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& /*analyses*/) {
  hoist_barriers(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
