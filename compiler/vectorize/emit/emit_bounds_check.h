// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of accesses (ir/bounds_check.h).
#pragma once

#include "compiler/vectorize/emit/emit_memory.h"

namespace heddle::compiler {

// Compares the addresses of all lanes at once: that of lane 0 if all have the same, of the first
// and the last lane if they have a stride, perhaps after a check at run time that they do, else a
// vector of them. If any is wrong, each active lane is checked by itself.
class BoundsCheckEmitter : EmitterBase {
 public:
  BoundsCheckEmitter(EmitState& state, MemoryEmitter& memory)
      : EmitterBase(state), memory_(memory) {}

  void emit(const llvm::CallInst& check);

 private:
  llvm::Value* are_right(const llvm::CallInst& check, unsigned operand, unsigned row);
  llvm::Value* are_right_by_stride(const llvm::CallInst& check, llvm::Value* first, Stride stride,
                                   unsigned row);
  llvm::Value* are_active_right(const llvm::CallInst& check, unsigned operand, unsigned row);
  void check_lanes(const llvm::CallInst& check, unsigned row);
  bool has_uniform_bounds(const llvm::CallInst& check) const;
  llvm::Value* are_right_if_strided(const llvm::CallInst& check, unsigned operand, unsigned row);

  MemoryEmitter& memory_;
};

} // namespace heddle::compiler
