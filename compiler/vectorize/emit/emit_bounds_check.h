// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of accesses (ir/bounds_check.h).
#pragma once

#include "compiler/vectorize/emit/emit_scalarized.h"

namespace heddle::compiler {

// Compares the addresses of all lanes at once: that of lane 0 if all have the same, of the first
// and the last lane if they have a stride, else a vector of them. If any is wrong, each active lane
// is checked by itself.
class BoundsCheckEmitter : EmitterBase {
 public:
  BoundsCheckEmitter(EmitState& state, ScalarizedEmitter& scalarized)
      : EmitterBase(state), scalarized_(scalarized) {}

  void emit(const llvm::CallInst& check);

 private:
  llvm::Value* are_right(const llvm::CallInst& check, unsigned operand, unsigned row);
  llvm::Value* are_right_by_stride(const llvm::CallInst& check, const llvm::Value& pointer,
                                   Stride stride, unsigned row);

  ScalarizedEmitter& scalarized_;
};

} // namespace heddle::compiler
