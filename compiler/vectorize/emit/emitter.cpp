// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emitter.h"

#include "compiler/vectorize/emit/emit_parameters.h"

namespace heddle::compiler {

Emitter::Emitter(const EmitInputs& inputs)
    : state_(inputs), instructions_(state_), runs_(state_, instructions_), control_flow_(state_) {}

llvm::Function* Emitter::run(const llvm::Twine& name) {
  auto& context = state_.context;
  context.create_function(name);
  control_flow_.create_blocks();
  context.builder().SetInsertPoint(&context.create_entry_block());
  ParameterEmitter(state_).emit();
  control_flow_.enter_kernel();
  for (const auto* block : context.inputs().linearization.order()) {
    control_flow_.begin(*block);
    runs_.emit(*block);
    control_flow_.end(*block);
  }
  control_flow_.finish();
  return &context.function();
}

} // namespace heddle::compiler
