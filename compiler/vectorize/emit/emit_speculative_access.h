// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses with a constant stride unless index arithmetic wraps or an index is clamped: speculated
// under a run-time check, mostly of lane 0 alone.
#pragma once

#include "compiler/vectorize/analysis/row_split.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class SpeculativeAccessEmitter : EmitterBase {
 public:
  explicit SpeculativeAccessEmitter(EmitState& state) : EmitterBase(state) {}

  // Branches to `strided` if the active lanes' addresses are the returned one plus lane * `stride`,
  // and else to `otherwise`.
  llvm::Value* branch_on_likely_stride(const llvm::Value& address, Stride stride, unsigned row,
                                       llvm::BasicBlock* strided, llvm::BasicBlock* otherwise);

  // A run of accesses whose failed checks all branch to `failed`: a condition that one access has
  // checked holds for the next ones.
  void begin_run(llvm::BasicBlock& failed) { failed_ = &failed; }
  void end_run();
  // Null: not in a run.
  llvm::BasicBlock* failed_block() const { return failed_; }

 private:
  using Conditions = llvm::SmallVectorImpl<llvm::Value*>;
  using LaneZeroValues =
      llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Value*>; // by value and row

  llvm::Value* likely_lane_0(const llvm::Value& value, unsigned row, Conditions& conditions,
                             unsigned depth);
  llvm::Value* compute_likely_lane_0(const llvm::Value& value, unsigned row, Conditions& conditions,
                                     unsigned depth);
  llvm::Value* clone_for_lane_0(const llvm::Instruction& instruction, unsigned row,
                                Conditions& conditions, unsigned depth);
  llvm::Value* likely_lane_0_in_row(const llvm::Instruction& instruction, const RowSplit& split,
                                    unsigned row, Conditions& conditions, unsigned depth);
  llvm::Value* likely_lane_0_clamp(const llvm::Instruction& instruction, Stride stride,
                                   unsigned row, Conditions& conditions, unsigned depth);
  llvm::Value* likely_lane_0_sext(const llvm::Value& value, llvm::Type* type, unsigned row,
                                  Conditions& conditions, unsigned depth);
  bool lane_0_never_wraps(const llvm::Value& value, bool is_signed, unsigned row) const;
  void add_no_wrap_condition(llvm::Value* first, Stride stride, bool is_signed,
                             Conditions& conditions);
  llvm::Value* emit_stride_check(llvm::Value* addresses, Stride stride, unsigned row);

  llvm::BasicBlock* failed_ = nullptr;
  struct {
    LaneZeroValues lane_0, lane_0_sext;
  } likely_; // lane 0's values under the checks of the run that have been emitted
};

} // namespace heddle::compiler
