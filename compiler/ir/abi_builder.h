// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits accesses to the structures of interface/kernel_abi.h.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/ir/address_space.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Emits at the insertion point of the builder. Launch is constant while a kernel runs, so its loads
// are marked invariant; those of Group are not, because a kernel without barriers rebuilds its
// Group.
class AbiBuilder {
 public:
  explicit AbiBuilder(llvm::IRBuilderBase& builder) : builder_(builder) {}

  llvm::IRBuilderBase& builder() const { return builder_; }
  llvm::Type* pointer() const { return builder_.getPtrTy(); }
  llvm::Type* local_pointer() const { return builder_.getPtrTy(kLocal); }
  llvm::Type* word() const { return builder_.getInt64Ty(); }

  llvm::Value* field(llvm::Value* base, std::uint64_t offset) {
    return offset == 0 ? base
                       : builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
  }
  llvm::Value* load(llvm::Value* base, std::uint64_t offset, llvm::Type* type,
                    const llvm::Twine& name = "") {
    return builder_.CreateAlignedLoad(type, field(base, offset), llvm::Align(8), name);
  }
  llvm::LoadInst* load_invariant(llvm::Value* base, std::uint64_t offset, llvm::Type* type,
                                 const llvm::Twine& name = "");
  // Element `dimension` of the three i64 at `offset`.
  llvm::Value* launch_word(llvm::Value* launch, std::uint64_t offset, unsigned dimension = 0) {
    return load_invariant(launch, offset + 8 * dimension, word());
  }
  llvm::Value* group_word(llvm::Value* group, std::uint64_t offset, unsigned dimension) {
    return load(group, offset + 8 * dimension, word());
  }
  llvm::Value* launch_of(llvm::Value* group) {
    return load(group, offsetof(abi::Group, launch), pointer(), "launch");
  }
  llvm::Value* worker_of(llvm::Value* group) {
    return load(group, offsetof(abi::Group, worker), pointer(), "worker");
  }

 private:
  llvm::IRBuilderBase& builder_;
};

} // namespace heddle::compiler
