// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group operations: the intrinsics of ir/subgroup_intrinsics.h on the lanes of a vector.
#pragma once

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

// Kernels that call these have one row (vectorize.cpp), except for the calls that
// peel_masked_remainder() inserts.
class SubgroupOpEmitter : EmitterBase {
 public:
  explicit SubgroupOpEmitter(EmitState& state) : EmitterBase(state) {}

  void emit(const llvm::CallInst& call, const SubgroupIntrinsic& function);

  // A value that is the same in all active lanes, by analysis or by the rules of OpenCL C.
  llvm::Value* active_lane_value(const llvm::Value& value);

 private:
  llvm::Value* emit_value(const llvm::CallInst& call, const SubgroupIntrinsic& function);
  llvm::Value* emit_all_rows(const llvm::Value& condition);
  llvm::Value* emit_shuffle(const llvm::CallInst& call);
  llvm::Value* emit_exclusive_scan(const llvm::CallInst& call, const SubgroupIntrinsic& function);
  void emit_lane_0(const llvm::CallInst& call);
  llvm::Value* active_or_identity(const llvm::Value& value, const SubgroupIntrinsic& function);
  llvm::Value* lane_0_linear_id();
  llvm::Value* lane_0_value(const llvm::Value& value, unsigned row);
  llvm::Value* read_lane(const llvm::Value& value, llvm::Value* lane);
  llvm::Value* shuffle_lanes(llvm::Value* value, llvm::Value* index);
  llvm::Value* shift_lanes(llvm::Value* value, unsigned distance, llvm::Value* fill);
  llvm::Value* reduce_lanes(llvm::Value* value, const SubgroupIntrinsic& how);
  llvm::Value* scan_lanes(llvm::Value* value, const SubgroupIntrinsic& how);
  llvm::Value* reduce_clusters(llvm::Value* value, llvm::Value* size, const SubgroupIntrinsic& how);
};

} // namespace heddle::compiler
