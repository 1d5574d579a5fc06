// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all emitters have in common.
#pragma once

#include "compiler/vectorize/emit/emit_context.h"
#include "compiler/vectorize/emit/emit_masks.h"
#include "compiler/vectorize/emit/vector_values.h"

namespace heddle::compiler {

// The state of one vector variant while it is emitted, shared by all emitters.
struct EmitState {
  explicit EmitState(const EmitInputs& inputs);

  EmitContext context;
  VectorValues values;
  MaskEmitter masks;
};

// Short names for the shared state.
class EmitterBase {
 protected:
  explicit EmitterBase(EmitState& state);

  llvm::Value* scalar(const llvm::Value& value, unsigned row) { return values_.scalar(value, row); }
  llvm::Value* lanes(const llvm::Value& value, unsigned row, unsigned component = 0) {
    return values_.lanes(value, row, component);
  }
  VectorValue& define(const llvm::Value& value, VectorValue::Kind kind) {
    return values_.define(value, kind);
  }
  llvm::VectorType* widened(llvm::Type* type) const { return values_.widened(type); }
  llvm::Value* splat(llvm::Value* value) { return values_.splat(value); }
  llvm::Value* mask(unsigned row) const { return masks_.mask(row); }
  llvm::Value* mask_or_all(unsigned row) { return masks_.mask_or_all(row); }
  llvm::BasicBlock* new_block(const llvm::Twine& name) { return context_.new_block(name); }
  llvm::AllocaInst* create_entry_alloca(llvm::Type* type, const llvm::Twine& name) {
    return context_.create_entry_alloca(type, name);
  }
  void remark(const llvm::Instruction& at, const char* what, const char* why) {
    context_.remark(at, what, why);
  }
  llvm::Value* offset_address(llvm::Value* address, std::int64_t bytes);
  // The instruction on the scalar operands of one row.
  llvm::Instruction* clone_scalar(const llvm::Instruction& instruction, unsigned row);
  // The same of a load or store, by which a row without active lanes accesses nothing that matters.
  llvm::Instruction* clone_access(const llvm::Instruction& access, unsigned row);
  // The address that a row's scalar access uses under the current mask.
  llvm::Value* guarded_address(llvm::Value* address, bool is_store, unsigned row);
  // Restarts the sub-group in the masked variant. Nothing with a side effect may have been
  // executed. The rare case thus needs no code of its own here.
  void call_fallback();

  EmitContext& context_;
  VectorValues& values_;
  MaskEmitter& masks_;
  llvm::IRBuilder<>& builder_;
  llvm::Function& kernel_;
  const VectorPlan& plan_;
  const LaneShapes& shapes_;
  const Linearization& linearization_;
  const llvm::LoopInfo& loops_;
  const llvm::DataLayout& layout_;
};

} // namespace heddle::compiler
