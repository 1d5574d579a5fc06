// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=uninitialized: the shadow of memory, which has a one for each bit that was never
// written. Private variables have a second variable each; local memory has a second one at
// abi::kLocalShadow. All other memory counts as written.
#pragma once

#include "compiler/ir/kernel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>

namespace heddle::compiler {

// The address of a shadow. Null: there is none, and the memory counts as written.
struct ShadowPlace {
  llvm::Value* address = nullptr;
  // Of a generic pointer: an i1, whether it points to local memory; if not, the address is that of
  // a place which nothing reads. Null: it has a shadow in any case.
  llvm::Value* is_local = nullptr;
  explicit operator bool() const { return address != nullptr; }
};

class ShadowMemory {
 public:
  // Adds the shadows of private variables, with ones where these begin to live. Left out are those
  // whose address gets where it is not followed. `has_local`: the function may access local memory.
  ShadowMemory(llvm::Function& function, bool has_local);

  // At the insertion point of the builder, where the pointer is known.
  ShadowPlace of(llvm::Value& pointer, llvm::IRBuilderBase& builder);

 private:
  using Pointers = llvm::SmallPtrSet<llvm::Value*, 8>;

  void find_followed();
  bool drop_mixed();
  void add_variable(llvm::AllocaInst& variable);
  llvm::Value* mirror(llvm::Value& pointer);
  llvm::Value* mirror_new(llvm::Instruction& pointer);
  llvm::Value* emit_is_local(llvm::Value& pointer, llvm::IRBuilderBase& builder);

  llvm::Function& function_;
  const bool has_local_;
  // Variables that are followed, with all pointers into each.
  llvm::MapVector<llvm::AllocaInst*, Pointers> followed_;
  llvm::SmallPtrSet<llvm::Value*, 32> private_; // all of these pointers
  llvm::DenseMap<llvm::Value*, llvm::Value*> mirrors_;
  llvm::AllocaInst* unread_ = nullptr;
};

// Stands for the address of the shadow of local memory, so that accesses to shadows are told from
// those of the program; lower_local_shadows() replaces it.
llvm::Value* create_local_shadow(llvm::IRBuilderBase& builder, llvm::Value& pointer);
// Whether the pointer may be that of such a shadow.
bool is_shadow_of_local(const llvm::Value& pointer);
void lower_local_shadows(llvm::Module& module);

} // namespace heddle::compiler
