// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phis and masks of blocks, as stack slots that are promoted to SSA values in the end.
#pragma once

#include "compiler/vectorize/emit/emitter_base.h"
#include "llvm/IR/Dominators.h"

namespace heddle::compiler {

class BlockSlots : EmitterBase {
 public:
  using Heads = llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*>;

  explicit BlockSlots(EmitState& state) : EmitterBase(state) {}

  // Creates the slots of all blocks.
  void create();
  // At the start of a block: initializes the slots whose live range begins here (init_block()),
  // masks with zero and phis with undef. Short live ranges are quickly promoted.
  void initialize(const llvm::BasicBlock& block);
  // At the end of a block: stores what most incoming edges of the phis store (common_values_).
  void store_common_values(const llvm::BasicBlock& block);
  // Defines the phis of the block.
  void load_phis(const llvm::BasicBlock& block);
  Masks load_masks(const llvm::BasicBlock& block, const char* name);
  // Sets the masks of the loop's blocks to zero. No effect unless the block is a header.
  void clear_loop_masks(const llvm::BasicBlock& header);
  // Stores the incoming values of the phis of `to`, and adds the lanes that take the edge (`taken`)
  // to its mask. `is_divergent`: `taken` is not the whole mask of `from`.
  void store_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Masks& taken,
                  bool is_divergent);
  // After all blocks have been emitted, with the first block emitted for each (`heads`).
  void promote(const Heads& heads);

 private:
  void create_phi_slots(const llvm::PHINode& phi);
  llvm::AllocaInst* create_slot(llvm::Type* type, const llvm::Twine& name);
  void initialize_bypassed(const Heads& heads);

  llvm::SmallVector<llvm::AllocaInst*, 64> slots_;
  llvm::DenseMap<const llvm::PHINode*, VectorValue> phi_slots_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<llvm::AllocaInst*, 4>> mask_slots_;
  // The most frequent incoming value of a phi, if it is available at the block's beginning: it is
  // stored there, and the edges with this value store nothing.
  llvm::DenseMap<const llvm::PHINode*, const llvm::Value*> common_values_;
  // By beginning (Linearization): the blocks whose slots are initialized there.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<const llvm::BasicBlock*, 4>>
      blocks_begun_at_;
};

} // namespace heddle::compiler
