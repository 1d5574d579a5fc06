// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of the vector function.
#pragma once

#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class ParameterEmitter : EmitterBase {
 public:
  explicit ParameterEmitter(EmitState& state) : EmitterBase(state) {}

  // In the entry block: defines the kernel's parameters and the masks of its entry.
  void emit();

 private:
  void emit_linear_ids();
  void emit_row_ids();
  VectorValue linear_ids(unsigned dimension);
  llvm::Value* group_size(unsigned dimension);
  void emit_entry_masks();
};

} // namespace heddle::compiler
