// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=uninitialized: the shadow of memory, which has a one for each bit that was never
// written. Private variables have a second variable each; local memory has a second one at
// abi::kLocalShadow, and so have new buffers at abi::kBufferShadow, on request. All other memory
// counts as written.
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
  // An i1, whether there is one; if not, the address is that of a place which nothing reads. Null:
  // there is one in any case.
  llvm::Value* exists = nullptr;
  // An i1, whether it is that of a buffer. Null: it is not.
  llvm::Value* is_buffer = nullptr;
  explicit operator bool() const { return address != nullptr; }
};

class ShadowMemory {
 public:
  // Adds the shadows of private variables, with ones where these begin to live. Left out are those
  // whose address gets where it is not followed. `has_local`: the function may access local memory.
  // `has_buffers`: buffers may have shadows.
  ShadowMemory(llvm::Function& function, bool has_local, bool has_buffers);

  // At the insertion point of the builder, where the pointer is known.
  ShadowPlace of(llvm::Value& pointer, llvm::IRBuilderBase& builder);

 private:
  using Pointers = llvm::SmallPtrSet<llvm::Value*, 8>;

  void find_followed();
  bool drop_mixed();
  void add_variable(llvm::AllocaInst& variable);
  llvm::Value* mirror(llvm::Value& pointer);
  llvm::Value* mirror_new(llvm::Instruction& pointer);
  ShadowPlace if_exists(llvm::Value& pointer, bool may_be_local, bool may_be_buffer,
                        llvm::IRBuilderBase& builder);
  llvm::Value* emit_is_local(llvm::Value& pointer, llvm::IRBuilderBase& builder);

  llvm::Function& function_;
  const bool has_local_;
  const bool has_buffers_;
  // Variables that are followed, with all pointers into each.
  llvm::MapVector<llvm::AllocaInst*, Pointers> followed_;
  llvm::SmallPtrSet<llvm::Value*, 32> private_; // all of these pointers
  llvm::DenseMap<llvm::Value*, llvm::Value*> mirrors_;
  llvm::AllocaInst* unread_ = nullptr;
};

// Calls of these stand for the addresses of the shadows of local memory and of buffers, so that
// accesses to shadows are told from those of the program; lower_shadow_addresses() replaces them.
// Whether the pointer may be that of such a shadow:
bool is_shadow_address(const llvm::Value& pointer);
void lower_shadow_addresses(llvm::Module& module);

} // namespace heddle::compiler
