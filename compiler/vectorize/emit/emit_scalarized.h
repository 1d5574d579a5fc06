// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions without a vector equivalent.
#pragma once

#include "compiler/vectorize/emit/emit_lane_addresses.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class ScalarizedEmitter : EmitterBase {
 public:
  ScalarizedEmitter(EmitState& state, LaneAddressEmitter& addresses)
      : EmitterBase(state), addresses_(addresses) {}

  // Executes the instruction once per active lane, in the order of the lanes.
  void emit(const llvm::Instruction& instruction);

 private:
  using LaneComponent = llvm::function_ref<llvm::Value*(const llvm::Value& value, unsigned c)>;
  using Components = llvm::SmallVector<llvm::Value*, 4>; // of the result: a vector each
  using Slots = llvm::DenseMap<const llvm::Value*, llvm::SmallVector<llvm::AllocaInst*, 4>>;

  // For cheap instructions with all lanes active: once per lane, without a loop.
  Components emit_unrolled_lanes(const llvm::Instruction& instruction, unsigned row);
  // A loop over the active lanes, of which there may be none: in a block that has no guard, or that
  // lanes of another row are active in. Operands are spilled to memory, where elements are
  // addressed by lane.
  Components emit_active_lane_loop(const llvm::Instruction& instruction, unsigned row);
  // For updates of memory whose results nobody uses: without active lanes to be looked for, if all
  // are active.
  void emit_update(const llvm::Instruction& instruction, unsigned row);
  void emit_loop_of_updates(const llvm::Instruction& instruction, unsigned row);
  Components emit_unrolled_if_all_active(const llvm::Instruction& instruction, unsigned row);
  struct Rest {
    llvm::BasicBlock* some;
    llvm::BasicBlock* after;
  };
  Rest begin_all_active(unsigned row);
  Slots spill_operands(const llvm::Instruction& instruction, unsigned row);
  llvm::Value* lane_slot(llvm::AllocaInst* vector, llvm::Type* element, llvm::Value* lane);
  void spill(const llvm::Value& operand, unsigned row, Slots& spilled);
  llvm::Value* load_lane(const llvm::Value& value, unsigned row, const Slots& spilled,
                         unsigned component, llvm::Value* lane);
  llvm::Instruction* clone_for_lane(const llvm::Instruction& instruction, unsigned row,
                                    llvm::Value* lane, const LaneComponent& component);
  llvm::Type* memory_type(llvm::Type* type);

  LaneAddressEmitter& addresses_;
};

} // namespace heddle::compiler
