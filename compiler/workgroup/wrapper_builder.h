// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions around a kernel's variants are built with.
#pragma once

#include "compiler/ir/loop_builder.h"
#include "compiler/workgroup/group_partition.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Builds one wrapper function at a time: instructions go to the insertion point of builder().
class WrapperBuilder {
 public:
  WrapperBuilder(llvm::Module& module, Kernel& kernel);

  // Adds a function that returns nothing, with the kernel's string attributes and subprogram, and
  // begins its entry block.
  llvm::Function* begin_function(llvm::ArrayRef<llvm::Type*> types, const llvm::Twine& name);

  // The kernel's arguments, from the buffer into which the runtime packed them.
  llvm::SmallVector<llvm::Value*, 12> load_arguments(llvm::Value* launch,
                                                     llvm::Value* local_memory);

  using Arguments = llvm::SmallVector<llvm::Value*, 12>;
  // The calls below are given the kernel's arguments and the local ids of the first work-item.
  void call_body(Arguments arguments, llvm::Value* group, llvm::Value* x, llvm::Value* y,
                 llvm::Value* z);
  void call_whole(Arguments arguments, llvm::Value* group, llvm::Value* x, llvm::Value* y,
                  llvm::Value* z);
  void call_tail(Arguments arguments, llvm::Value* active, llvm::Value* group, llvm::Value* x,
                 llvm::Value* y, llvm::Value* z);
  // The sub-group whose first linear local id is `first`, of a group of `items` work-items.
  void call_crossing(Arguments arguments, llvm::Value* group, llvm::Value* first,
                     llvm::Value* items);

  // Stores the linear local id to the worker, for reports of faults.
  void emit_current_item(llvm::Value* worker, llvm::Value* item);

  bool is_vector() const { return kernel_.variants.has(VariantKind::whole); }
  llvm::Value* width() { return builder_.getInt64(kernel_.metadata.vector_width); }
  llvm::Value* sub_group_count(llvm::Value* items) {
    return emit_sub_group_count(builder_, kernel_, items);
  }
  llvm::BasicBlock* block(const char* name) { return loops_.block(name); }

  Kernel& kernel() { return kernel_; }
  llvm::IRBuilder<>& builder() { return builder_; }
  AbiBuilder& abi() { return abi_; }
  LoopBuilder& loops() { return loops_; }

 private:
  llvm::Module& module_;
  Kernel& kernel_;
  llvm::IRBuilder<> builder_;
  AbiBuilder abi_;
  LoopBuilder loops_;
};

} // namespace heddle::compiler
