// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and private variables: chooses how each is accessed.
#pragma once

#include "compiler/vectorize/emit/emit_aos_access.h"
#include "compiler/vectorize/emit/emit_scalarized.h"
#include "compiler/vectorize/emit/emit_speculative_access.h"
#include "compiler/vectorize/emit/emit_strided_access.h"
#include "compiler/vectorize/emit/emit_transposed_access.h"
#include "compiler/vectorize/emit/emit_values.h"

namespace heddle::compiler {

class MemoryEmitter : EmitterBase {
 public:
  MemoryEmitter(EmitState& state, ValueEmitter& uniform, ScalarizedEmitter& scalarized,
                LaneAddressEmitter& addresses);

  void emit_load(const llvm::LoadInst& load);
  void emit_store(const llvm::StoreInst& store);
  void emit_alloca(const llvm::AllocaInst& variable);

  // Whether the load has a constant stride only if a run-time check succeeds.
  bool is_speculative(const llvm::LoadInst& load) const;
  SpeculativeAccessEmitter& speculation() { return speculative_; }
  // Whether speculative loads are gathers: on the path on which the checks of a run have failed.
  void force_gathers(bool is_forced) { forces_gathers_ = is_forced; }
  bool forces_gathers() const { return forces_gathers_; }

 private:
  void load_row(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  void load_each_lane(const llvm::LoadInst& load, unsigned row, Stride stride, VectorValue& result);
  void load_gather(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  void load_speculative(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  void store_row(const llvm::StoreInst& store, unsigned row);
  void store_last_lane(const llvm::StoreInst& store, unsigned row);
  void store_each_lane(const llvm::StoreInst& store, unsigned row, llvm::Value* first,
                       Stride stride);
  void store_scatter(const llvm::StoreInst& store, unsigned row);
  bool is_kept_in_registers(const llvm::Value& address, llvm::Type& type) const;
  void store_speculative(const llvm::StoreInst& store, unsigned row, Stride stride);

  ValueEmitter& uniform_;
  ScalarizedEmitter& scalarized_;
  AosAccessEmitter aos_;
  StridedAccessEmitter strided_;
  TransposedAccessEmitter transposed_;
  SpeculativeAccessEmitter speculative_;
  bool forces_gathers_ = false;
};

} // namespace heddle::compiler
