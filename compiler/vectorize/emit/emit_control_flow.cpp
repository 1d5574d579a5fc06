// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_control_flow.h"

#include "llvm/Analysis/LoopInfo.h"

namespace heddle::compiler {

void ControlFlowEmitter::create_blocks() {
  pending_.resize(linearization_.order().size());
  for (const auto* block : linearization_.order())
    heads_[block] = new_block(block->getName());
}

void ControlFlowEmitter::enter_kernel() {
  slots_.create();
  builder_.SetInsertPoint(&context_.entry());
  builder_.CreateBr(heads_[&kernel_.getEntryBlock()]);
}

void ControlFlowEmitter::begin(const llvm::BasicBlock& block) {
  mark_exits_pending(block);
  builder_.SetInsertPoint(heads_[&block]);
  context_.set_debug_location(*block.getTerminator());
  masks_.set_current(load_masks(block));
  slots_.initialize(block);
  if (guards_.is_needed(block, pending_)) {
    auto* body = new_block(block.getName() + ".active");
    auto* skip = next_pending_block(block, nullptr);
    builder_.CreateCondBr(guards_.emit_condition(block), body, skip);
    builder_.SetInsertPoint(body);
  }
  slots_.load_phis(block);
}

void ControlFlowEmitter::end(const llvm::BasicBlock& block) {
  context_.set_debug_location(*block.getTerminator());
  slots_.store_common_values(block);
  emit_terminator(block);
}

Masks ControlFlowEmitter::load_masks(const llvm::BasicBlock& block) {
  Masks masks;
  if (!linearization_.owns_mask(block) || &block == &kernel_.getEntryBlock()) {
    masks = *masks_.block_masks(linearization_.mask_owner(block));
  } else {
    masks = slots_.load_masks(block, "mask");
    masks_.set_block_masks(block, masks);
  }
  slots_.clear_loop_masks(block);
  return masks;
}

// Lanes may have left a divergent loop in earlier iterations, through any of its exits.
void ControlFlowEmitter::mark_exits_pending(const llvm::BasicBlock& block) {
  const auto* loop = loops_.getLoopFor(&block);
  if (loop == nullptr || loop->getHeader() != &block || !linearization_.is_divergent(*loop))
    return;
  llvm::SmallVector<llvm::BasicBlock*, 8> exits;
  loop->getExitBlocks(exits);
  for (const auto* exit : exits)
    pending_[linearization_.position(block)].insert(linearization_.position(*exit));
}

bool ControlFlowEmitter::is_back_edge(const llvm::BasicBlock& from,
                                      const llvm::BasicBlock& to) const {
  const auto* loop = loops_.getLoopFor(&to);
  return loop != nullptr && loop->getHeader() == &to && loop->contains(&from);
}

llvm::BasicBlock* ControlFlowEmitter::next_pending_block(const llvm::BasicBlock& from,
                                                         const llvm::BasicBlock* to,
                                                         const llvm::BasicBlock* other) {
  Pending targets = pending_[linearization_.position(from)];
  targets.erase(linearization_.position(from));
  for (const auto* block : {to, other})
    if (block != nullptr)
      targets.insert(linearization_.position(*block));
  if (targets.empty())
    return nullptr;
  const auto next = *targets.begin();
  targets.erase(targets.begin());
  pending_[next].insert(targets.begin(), targets.end());
  return heads_[linearization_.order()[next]];
}

// Ends the latch: back to the header, or, in a divergent loop in which no lane is left, to `next`
// (null: the loop is not left here).
void ControlFlowEmitter::emit_latch(const llvm::BasicBlock& header, llvm::BasicBlock* next) {
  const auto* loop = loops_.getLoopFor(&header);
  if (next == nullptr || !linearization_.is_divergent(*loop)) {
    builder_.CreateBr(heads_[&header]);
    return;
  }
  const auto remaining = slots_.load_masks(header, "remaining");
  builder_.CreateCondBr(masks_.any_active(remaining), heads_[&header], next);
}

void ControlFlowEmitter::emit_terminator(const llvm::BasicBlock& block) {
  if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) {
    builder_.CreateRetVoid();
    return;
  }
  const auto& branch = llvm::cast<llvm::BranchInst>(*block.getTerminator());
  if (branch.isConditional() && shapes_.has_divergent_branch(block))
    emit_divergent_branch(block, branch);
  else
    emit_uniform_branch(block, branch);
}

void ControlFlowEmitter::emit_uniform_branch(const llvm::BasicBlock& block,
                                             const llvm::BranchInst& branch) {
  const auto emit_edge = [&](const llvm::BasicBlock& to) {
    slots_.store_edge(block, to, masks_.current(), false);
    if (is_back_edge(block, to))
      emit_latch(to, next_pending_block(block, nullptr));
    else
      builder_.CreateBr(next_pending_block(block, &to));
  };
  if (!branch.isConditional()) {
    emit_edge(*branch.getSuccessor(0));
    return;
  }
  llvm::BasicBlock* edges[2];
  for (unsigned i = 0; i < 2; ++i)
    edges[i] = new_block("edge");
  auto* made = builder_.CreateCondBr(scalar(*branch.getCondition(), 0), edges[0], edges[1]);
  made->copyMetadata(branch, {llvm::LLVMContext::MD_prof, llvm::LLVMContext::MD_unpredictable});
  for (unsigned i = 0; i < 2; ++i) {
    builder_.SetInsertPoint(edges[i]);
    emit_edge(*branch.getSuccessor(i));
  }
}

void ControlFlowEmitter::emit_divergent_branch(const llvm::BasicBlock& block,
                                               const llvm::BranchInst& branch) {
  Masks taken[2];
  for (unsigned row = 0; row < plan_.rows; ++row) {
    auto* condition = lanes(*branch.getCondition(), row);
    auto* none = llvm::Constant::getNullValue(condition->getType());
    auto* inverse = builder_.CreateNot(condition);
    // Selects, since the condition may be poison in inactive lanes.
    taken[0].push_back(mask(row) ? builder_.CreateSelect(mask(row), condition, none) : condition);
    taken[1].push_back(mask(row) ? builder_.CreateSelect(mask(row), inverse, none) : inverse);
  }
  remark_divergence(block, branch);
  const llvm::BasicBlock* header = nullptr;
  const llvm::BasicBlock* forward[2] = {nullptr, nullptr};
  for (unsigned i = 0; i < 2; ++i) {
    const auto* to = branch.getSuccessor(i);
    slots_.store_edge(block, *to, taken[i], true);
    if (is_back_edge(block, *to))
      header = to;
    else
      forward[i] = to;
  }
  auto* next = next_pending_block(block, forward[0], forward[1]);
  if (header != nullptr)
    emit_latch(*header, next);
  else
    builder_.CreateBr(next);
}

void ControlFlowEmitter::remark_divergence(const llvm::BasicBlock& block,
                                           const llvm::BranchInst& branch) {
  const auto* loop = loops_.getLoopFor(&block);
  const bool is_exit = loop != nullptr && llvm::any_of(branch.successors(), [&](const auto* to) {
                         return !loop->contains(to);
                       });
  if (is_exit)
    context_.remark_divergent_loop(branch);
  else
    remark(branch, "divergent branch",
           "work-items take different branches: both sides run, one after the other, each under a "
           "mask");
}

} // namespace heddle::compiler
