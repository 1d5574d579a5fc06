// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards: branches that skip a block if no lane is active in it.
#pragma once

#include "compiler/vectorize/analysis/uniform_bound.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class AnyLaneGuardEmitter : EmitterBase {
 public:
  explicit AnyLaneGuardEmitter(EmitState& state) : EmitterBase(state) {}

  // Whether a branch around the block (and the blocks that it dominates) is required or profitable
  // for the case that no lane is active. `pending`: by position of a block, the positions of the
  // blocks that remain to be executed when it is entered.
  bool is_needed(const llvm::BasicBlock& block, llvm::ArrayRef<Pending> pending) const;
  // i1: whether a lane is active in the block.
  llvm::Value* emit_condition(const llvm::BasicBlock& block);

 private:
  llvm::Value* any_lane_in_bound(const llvm::BasicBlock& block);
  std::optional<UniformBound> entry_bound(const llvm::BasicBlock& block) const;
};

} // namespace heddle::compiler
