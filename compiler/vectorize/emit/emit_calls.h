// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls.
#pragma once

#include "compiler/vectorize/emit/emit_bounds_check.h"
#include "compiler/vectorize/emit/emit_scalarized.h"
#include "compiler/vectorize/emit/emit_subgroup_ops.h"
#include "compiler/vectorize/emit/emit_values.h"
#include "compiler/vectorize/emit/form_shape.h"
#include "llvm/IR/IntrinsicInst.h"

namespace heddle::compiler {

class CallEmitter : EmitterBase {
 public:
  CallEmitter(EmitState& state, ValueEmitter& uniform, ScalarizedEmitter& scalarized,
              MemoryEmitter& memory)
      : EmitterBase(state), uniform_(uniform), scalarized_(scalarized), subgroup_ops_(state),
        bounds_(state, memory) {}

  void emit(const llvm::CallInst& call);

  // Whether the vector code does not need the intrinsic.
  static bool is_dropped(llvm::Intrinsic::ID id);

 private:
  bool emit_intrinsic(const llvm::IntrinsicInst& call);
  void emit_vectorizable(const llvm::IntrinsicInst& call);
  void emit_component_reduction(const llvm::IntrinsicInst& call);
  void emit_once_per_subgroup(const llvm::CallInst& call);
  void emit_all_lanes_variant(const llvm::CallInst& call, llvm::Function& all);
  void emit_vector_form(const llvm::CallInst& call, llvm::Function& callee);
  void emit_masked_form(const llvm::CallInst& call, llvm::Function& callee);
  llvm::Function* find_masked_form(const llvm::CallInst& call, llvm::Function& callee, bool masked,
                                   FormShape& shape);
  llvm::SmallVector<llvm::Value*, 8> form_arguments(const llvm::CallInst& call,
                                                    const FormShape& shape, unsigned row);
  void emit_target_math(const llvm::CallInst& call, llvm::Function& callee);

  ValueEmitter& uniform_;
  ScalarizedEmitter& scalarized_;
  SubgroupOpEmitter subgroup_ops_;
  BoundsCheckEmitter bounds_;
};

} // namespace heddle::compiler
