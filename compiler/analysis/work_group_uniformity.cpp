// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/work_group_uniformity.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

// The blocks between a divergent branch and its post-dominator, including loops that it may leave.
void add_blocks_until_join(const llvm::BasicBlock& branch, const llvm::PostDominatorTree& tree,
                           llvm::SmallPtrSet<const llvm::BasicBlock*, 16>& blocks) {
  const auto* node = tree.getNode(&branch);
  const auto* join =
      node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*, 16> work(llvm::successors(&branch));
  while (!work.empty()) {
    const auto* block = work.pop_back_val();
    if (block == join || !seen.insert(block).second)
      continue;
    blocks.insert(block);
    work.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
}

} // namespace

bool is_invariant_load(const llvm::LoadInst& load) {
  if (load.isVolatile() || load.isAtomic())
    return false;
  return load.hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
         load.getPointerAddressSpace() == kConstant ||
         load.getPointerOperand()->stripInBoundsConstantOffsets() ==
             work_item_params(const_cast<llvm::Function&>(*load.getFunction())).group;
}

WorkGroupUniformity::WorkGroupUniformity(llvm::Function& function, bool is_masked) {
  const auto state = work_item_params(function);
  // The kernel's own arguments, which are uniform, precede the group.
  const auto divergent_params = is_masked ? 1U : 0U;
  for (auto& argument : function.args())
    if (argument.getArgNo() + divergent_params >= state.group->getArgNo() &&
        &argument != state.group)
      divergent_.insert(&argument);
  const llvm::PostDominatorTree tree(function);
  // Optimistic: starts with all values uniform and iterates to a fixed point.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& block : function)
      for (const auto& instruction : block)
        if (!divergent_.contains(&instruction) && is_divergent(instruction)) {
          divergent_.insert(&instruction);
          changed = true;
        }
    const auto before = divergent_blocks_.size();
    for (const auto& block : function)
      if (has_divergent_branch(block))
        add_blocks_until_join(block, tree, divergent_blocks_);
    changed |= divergent_blocks_.size() != before;
  }
}

bool WorkGroupUniformity::is_source(const llvm::Instruction& instruction) const {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !is_invariant_load(*load);
  if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.mayReadOrWriteMemory())
    return true;
  // Operations between lanes differ from sub-group to sub-group.
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call);
}

bool WorkGroupUniformity::is_divergent(const llvm::Instruction& instruction) const {
  if (is_source(instruction))
    return true;
  if (llvm::any_of(instruction.operands(),
                   [&](const llvm::Use& operand) { return divergent_.contains(operand.get()); }))
    return true;
  // A phi in a divergent block selects by the edge that was taken.
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  return phi != nullptr && llvm::any_of(phi->blocks(), [&](const llvm::BasicBlock* from) {
           return !is_convergent(*from) || has_divergent_branch(*from);
         });
}

bool WorkGroupUniformity::has_divergent_branch(const llvm::BasicBlock& block) const {
  const auto* end = block.getTerminator();
  return end->getNumSuccessors() > 1 && divergent_.contains(end);
}

} // namespace heddle::compiler
