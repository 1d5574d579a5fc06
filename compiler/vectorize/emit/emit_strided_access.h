// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores with a small constant stride between lanes.
#pragma once

#include "compiler/vectorize/emit/emit_aos_access.h"
#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

enum class StridedAccess : std::uint8_t { none, consecutive, reversed, interleaved };

class StridedAccessEmitter : EmitterBase {
 public:
  StridedAccessEmitter(EmitState& state, AosAccessEmitter& aos) : EmitterBase(state), aos_(aos) {}

  // How values of this type are accessed with such a stride (bytes); none: not by vector accesses.
  StridedAccess kind(llvm::Type* type, Stride stride, bool is_store) const;

  // `first`: lane 0's address. The kind must not be none.
  void load(const llvm::LoadInst& load, unsigned row, Stride stride, llvm::Value* first,
            VectorValue& result);
  void store(const llvm::StoreInst& store, unsigned row, Stride stride, llvm::Value* first);

 private:
  llvm::Type* access_type(llvm::Type* type) const;
  bool is_moved_by_components(llvm::Type& type, bool are_words, unsigned row, Stride stride) const;
  void load_components(const llvm::LoadInst& load, unsigned row, llvm::Value* first,
                       VectorValue& result);
  void store_components(const llvm::StoreInst& store, unsigned row, llvm::Value* first);
  void store_three(const llvm::StoreInst& store, unsigned row, llvm::Value* first,
                   llvm::ArrayRef<llvm::Value*> components, llvm::Align align);
  llvm::Value* load_vector(const llvm::LoadInst& load, llvm::Value* address, llvm::Type* element,
                           unsigned count, llvm::Value* mask, llvm::Align align);
  void store_vector(const llvm::StoreInst& store, llvm::Value* value, llvm::Value* address,
                    llvm::Value* mask, llvm::Align align);
  llvm::Value* reverse_lanes(llvm::Value* vector);

  AosAccessEmitter& aos_;
};

} // namespace heddle::compiler
