// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of OpenCL vectors at addresses that are not consecutive between lanes.
#pragma once

#include "compiler/vectorize/emit/emit_lane_addresses.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class AosAccessEmitter : EmitterBase {
 public:
  AosAccessEmitter(EmitState& state, LaneAddressEmitter& addresses)
      : EmitterBase(state), addresses_(addresses) {}

  // False: values of this type are not accessed in chunks; nothing has been emitted.
  bool load(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  bool store(const llvm::StoreInst& store, unsigned row);

  // Whether each lane's address is lane 0's plus a constant: none has to be extracted from a
  // vector.
  bool has_strided_addresses(const llvm::Value& address, unsigned row) const;
  // Whether the access is a gather or scatter; otherwise there is one access per lane.
  bool is_gathered(const llvm::LoadInst& load, unsigned row) const;
  bool is_scattered(const llvm::StoreInst& store, unsigned row) const;

  // Bytes of one lane that one access moves; 0: each component is gathered or scattered.
  std::uint64_t chunk_bytes(llvm::Type* type) const;
  // Splits a vector of one integer per lane, which holds all components of a value of `type`, into
  // a vector per component.
  void unpack_components(llvm::Value* packed, llvm::Type& type, unsigned row, VectorValue& result);
  // The inverse. Components are frozen: a poison one, such as the last one of a vector of three,
  // must not make the integer poison.
  llvm::Value* pack_components(llvm::ArrayRef<llvm::Value*> parts);

 private:
  std::uint64_t access_bytes(llvm::Type* type, unsigned row) const;
  bool loads_triples(llvm::Type& type) const;
  void load_triples(const llvm::LoadInst& load, unsigned row, VectorValue& result);
  llvm::Value* load_masked_triple(const llvm::LoadInst& load, llvm::Value* address,
                                  llvm::Align align);
  llvm::Value* is_at_end_of_page(llvm::Value* address);
  llvm::Value* are_at_ends_of_pages(const llvm::Value& address, unsigned row);
  llvm::Value* load_triples_of_bytes(const llvm::LoadInst& load, unsigned row,
                                     llvm::ArrayRef<llvm::Value*> addresses);
  bool uses_gather_or_scatter(llvm::Type* type, const llvm::Value& address, unsigned row) const;
  llvm::SmallVector<llvm::Value*, 64> safe_lane_addresses(const llvm::Value& address,
                                                          llvm::Align alignment, unsigned row,
                                                          bool is_store);
  std::pair<llvm::Value*, std::int64_t>
  masked_addresses(const llvm::Value& address, llvm::Align alignment, unsigned row, bool is_store);
  void call_store(const llvm::StoreInst& store, unsigned row, llvm::Value& packed);
  bool shares_lane_stores();

  LaneAddressEmitter& addresses_;
  std::optional<bool> shares_lane_stores_; // has_many_lane_stores()
};

} // namespace heddle::compiler
