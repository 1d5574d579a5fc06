// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dispatches the kernel's instructions to the emitters.
#pragma once

#include "compiler/vectorize/emit/emit_atomics.h"
#include "compiler/vectorize/emit/emit_calls.h"
#include "compiler/vectorize/emit/emit_memory.h"

namespace heddle::compiler {

class InstructionEmitter : EmitterBase {
 public:
  explicit InstructionEmitter(EmitState& state);

  // Neither a phi nor a terminator.
  void emit(const llvm::Instruction& instruction);

  MemoryEmitter& memory() { return memory_; }

 private:
  ValueEmitter value_;
  LaneAddressEmitter addresses_;
  ScalarizedEmitter scalarized_;
  AtomicEmitter atomic_;
  MemoryEmitter memory_;
  CallEmitter call_;
};

} // namespace heddle::compiler
