// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits a vector variant of a canonicalized scalar kernel.
#pragma once

#include "compiler/vectorize/emit/emit_control_flow.h"
#include "compiler/vectorize/emit/emit_instruction.h"
#include "compiler/vectorize/emit/emit_speculative_run.h"

namespace heddle::compiler {

class Emitter {
 public:
  explicit Emitter(const EmitInputs& inputs);

  // The parameters are the kernel's; with plan.masked the number of active lanes (i64, 1 to
  // plan.width) precedes the work-item parameters. The local ids are those of lane 0 (row mapping),
  // or x is lane 0's linear id and y and z are unused (linear mapping).
  llvm::Function* run(const llvm::Twine& name);

 private:
  EmitState state_;
  InstructionEmitter instructions_;
  SpeculativeRunEmitter runs_;
  ControlFlowEmitter control_flow_;
};

} // namespace heddle::compiler
