#include "compiler/analysis/work_group_uniformity.h"

#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kConstantMemory = 2;

// Blocks between a branch and where its ways have come together again. A loop that it may leave is
// among them.
void add_blocks_behind(const llvm::BasicBlock& branch, const llvm::PostDominatorTree& tree,
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
         load.getPointerAddressSpace() == kConstantMemory ||
         load.getPointerOperand()->stripInBoundsConstantOffsets() ==
             work_item_params(const_cast<llvm::Function&>(*load.getFunction())).group;
}

WorkGroupUniformity::WorkGroupUniformity(llvm::Function& function, bool is_masked) {
  const auto state = work_item_params(function);
  // Those of the kernel, which all work-items are given, come before the group.
  const auto own_before = is_masked ? 1U : 0U;
  for (auto& argument : function.args())
    if (argument.getArgNo() + own_before >= state.group->getArgNo() && &argument != state.group)
      own_.insert(&argument);
  const llvm::PostDominatorTree tree(function);
  // From the assumption that all is common, until nothing contradicts it.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& block : function)
      for (const auto& instruction : block)
        if (!own_.contains(&instruction) && is_own(instruction)) {
          own_.insert(&instruction);
          changed = true;
        }
    const auto before = parted_.size();
    for (const auto& block : function)
      if (parts_ways(block))
        add_blocks_behind(block, tree, parted_);
    changed |= parted_.size() != before;
  }
}

bool WorkGroupUniformity::is_source(const llvm::Instruction& instruction) const {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !is_invariant_load(*load);
  if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.mayReadOrWriteMemory())
    return true;
  // What the library asks for depends on the lanes.
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call);
}

bool WorkGroupUniformity::is_own(const llvm::Instruction& instruction) const {
  if (is_source(instruction))
    return true;
  if (llvm::any_of(instruction.operands(),
                   [&](const llvm::Use& operand) { return own_.contains(operand.get()); }))
    return true;
  // Which way all came.
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  return phi != nullptr && llvm::any_of(phi->blocks(), [&](const llvm::BasicBlock* from) {
           return !is_in_step(*from) || parts_ways(*from);
         });
}

bool WorkGroupUniformity::parts_ways(const llvm::BasicBlock& block) const {
  const auto* end = block.getTerminator();
  return end->getNumSuccessors() > 1 && own_.contains(end);
}

} // namespace heddle::compiler
