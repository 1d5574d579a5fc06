// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses with a large stride between lanes and consecutive addresses between rows (sub-groups
// with consecutive y that run interleaved): one vector access per lane moves the elements of all
// rows, and the vectors are transposed in registers.
#pragma once

#include "compiler/vectorize/emit/emit_lane_addresses.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

// All lanes must be active, and the access is_transposed() (analysis/transposed_access.h).
class TransposedAccessEmitter : EmitterBase {
 public:
  TransposedAccessEmitter(EmitState& state, LaneAddressEmitter& addresses)
      : EmitterBase(state), addresses_(addresses) {}

  void load(const llvm::LoadInst& load, VectorValue& result);
  void store(const llvm::StoreInst& store);

 private:
  llvm::Value* transpose(llvm::SmallVectorImpl<llvm::Value*>& parts);

  LaneAddressEmitter& addresses_;
};

} // namespace heddle::compiler
