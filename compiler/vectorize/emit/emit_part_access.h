// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of the same part, as a byte, of all lanes' elements of an interleaved private
// array (analysis/interleave_private_arrays.h): as accesses of the elements, which are consecutive.
#pragma once

#include "compiler/vectorize/emit/emitter_base.h"

namespace heddle::compiler {

class PartAccessEmitter : EmitterBase {
 public:
  explicit PartAccessEmitter(EmitState& state) : EmitterBase(state) {}

  bool is_part(const llvm::Value& address, const llvm::Type& type, unsigned row) const;
  // `first`: lane 0's address.
  llvm::Value* load(const llvm::LoadInst& load, unsigned row, llvm::Value* first);
  void store(const llvm::StoreInst& store, unsigned row, llvm::Value* first);

 private:
  struct Place {
    llvm::FixedVectorType* elements = nullptr;
    llvm::Value* address = nullptr; // of lane 0's element
    llvm::Value* shift = nullptr;   // of the part in each element
    llvm::Align align;
  };
  Place find_place(const llvm::Value& address, llvm::Value* first);
  llvm::Value* load_elements(const Place& place, unsigned row);
};

} // namespace heddle::compiler
