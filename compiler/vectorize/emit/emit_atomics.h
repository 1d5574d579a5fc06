// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations.
#pragma once

#include "compiler/vectorize/emit/emit_scalarized.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class AtomicEmitter : EmitterBase {
 public:
  AtomicEmitter(EmitState& state, ScalarizedEmitter& scalarized)
      : EmitterBase(state), scalarized_(scalarized) {}

  // An atomicrmw or cmpxchg. An update of one address by all lanes is a reduction of the lanes'
  // values and one update; others are scalarized.
  void emit(const llvm::Instruction& update);

 private:
  bool emit_reduction(const llvm::AtomicRMWInst& update);
  llvm::Value* exclusive_sum(llvm::Value* operand);

  ScalarizedEmitter& scalarized_;
};

} // namespace heddle::compiler
