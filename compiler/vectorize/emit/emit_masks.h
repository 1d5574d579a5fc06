// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The active lanes of the current block, and of blocks that have been emitted.
#pragma once

#include "compiler/vectorize/emit/vector_values.h"

namespace heddle::compiler {

// By row: a vector of i1, or null if all lanes are active.
using Masks = llvm::SmallVector<llvm::Value*, 4>;

class MaskEmitter {
 public:
  MaskEmitter(EmitContext& context, VectorValues& values);

  void set_current(const Masks& masks) { current_ = masks; }
  const Masks& current() const { return current_; }
  llvm::Value* mask(unsigned row) const { return current_[row]; }
  llvm::Value* mask_or_all(unsigned row);
  // Whether no lane of any row can be inactive.
  bool are_all_active() const;

  // Masks of blocks that own one (Linearization::mask_owner). Null: not emitted yet.
  void set_block_masks(const llvm::BasicBlock& block, const Masks& masks);
  const Masks* block_masks(const llvm::BasicBlock& block) const;

  llvm::Value* all_true();
  // i1: whether a lane of any row is in `masks`.
  llvm::Value* any_active(const Masks& masks);
  // i64: a bit per lane of the current mask, or of those of its lanes that are in `which`.
  llvm::Value* active_bits(unsigned row, llvm::Value* which = nullptr);
  // i64: the number of the first active lane of row 0.
  llvm::Value* first_active_lane();
  // The last active lane's value: what memory holds after all lanes have stored to one address.
  llvm::Value* last_active_value(llvm::Value* vector, unsigned row);

 private:
  llvm::IRBuilder<>& builder_;
  const VectorPlan& plan_;
  VectorValues& values_;
  Masks current_;
  llvm::DenseMap<const llvm::BasicBlock*, Masks> block_masks_;
};

} // namespace heddle::compiler
