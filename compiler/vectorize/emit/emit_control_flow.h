// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: blocks in linearized order, branches, and the masks of blocks.
#pragma once

#include "compiler/vectorize/emit/block_slots.h"
#include "compiler/vectorize/emit/emit_any_lane_guards.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

// Between begin() and end() of a block its instructions are emitted at the builder's position.
class ControlFlowEmitter : EmitterBase {
 public:
  explicit ControlFlowEmitter(EmitState& state)
      : EmitterBase(state), slots_(state), guards_(state) {}

  // Creates the first block of the code of each of the kernel's blocks.
  void create_blocks();
  // At the end of the entry block: branches to the code of the kernel's entry.
  void enter_kernel();
  void begin(const llvm::BasicBlock& block);
  void end(const llvm::BasicBlock& block);
  // After all blocks.
  void finish() { slots_.promote(heads_); }

 private:
  void mark_exits_pending(const llvm::BasicBlock& block);
  Masks load_masks(const llvm::BasicBlock& block);
  void emit_terminator(const llvm::BasicBlock& block);
  void emit_uniform_branch(const llvm::BasicBlock& block, const llvm::BranchInst& branch);
  void emit_divergent_branch(const llvm::BasicBlock& block, const llvm::BranchInst& branch);
  void remark_divergence(const llvm::BasicBlock& block, const llvm::BranchInst& branch);
  bool is_back_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  // The block to branch to after `from` if `to` and `other` (null: none) and all pending blocks are
  // still to be executed; null: none is.
  llvm::BasicBlock* next_pending_block(const llvm::BasicBlock& from, const llvm::BasicBlock* to,
                                       const llvm::BasicBlock* other = nullptr);
  void emit_latch(const llvm::BasicBlock& header, llvm::BasicBlock* next);

  BlockSlots slots_;
  AnyLaneGuardEmitter guards_;
  BlockSlots::Heads heads_;
  // By position of a block: the positions of the blocks that remain to be executed after it is
  // entered. The first of them is the target of branches around the block.
  std::vector<Pending> pending_;
};

} // namespace heddle::compiler
