// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of the emitter, and the function that it emits.
#pragma once

#include "compiler/support/remarks.h"
#include "compiler/vectorize/analysis/lane_shapes.h"
#include "compiler/vectorize/analysis/linearization.h"
#include "compiler/vectorize/analysis/plan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

struct EmitInputs {
  llvm::Function& kernel; // canonicalized
  const VectorPlan plan;
  const LaneShapes& shapes;
  const Linearization& linearization;
  llvm::LoopInfo& loops;
  Remarks* remarks; // null: none are wanted
  // The masked variant of the same kernel, called for sub-groups whose speculative checks at the
  // start of the kernel fail; null: this variant handles all sub-groups itself.
  llvm::Function* fallback;
};

class EmitContext {
 public:
  explicit EmitContext(const EmitInputs& inputs);

  const EmitInputs& inputs() const { return inputs_; }
  llvm::IRBuilder<>& builder() { return builder_; }
  const llvm::DataLayout& layout() const;

  // Creates the vector function, whose parameters are described at Emitter::run(), without blocks.
  void create_function(const llvm::Twine& name);
  llvm::Function& function() const { return *function_; }
  // The parameter of the vector function for a parameter of the kernel.
  llvm::Argument* parameter(const llvm::Argument& of_kernel) const;
  // The number of active lanes (i64). Needs plan.masked.
  llvm::Argument* active_count() const;

  // The entry block precedes all others; it sets up masks and slots.
  llvm::BasicBlock& create_entry_block();
  llvm::BasicBlock& entry() const { return *entry_; }
  llvm::BasicBlock* new_block(const llvm::Twine& name);
  llvm::AllocaInst* create_entry_alloca(llvm::Type* type, const llvm::Twine& name);
  // What lanes and rows that are not active load from or store to: kMaxInactiveBytes and, behind
  // the address, kMaxInactiveDistance more.
  llvm::Value* inactive_address(llvm::Type* pointer, bool is_store);

  // Source locations of the kernel appear as inlined into the vector function.
  void set_debug_location(const llvm::Instruction& from);

  // Adds a remark unless the instruction is in the masked remainder of a peeled loop: remarks are
  // for its main loop.
  void remark(const llvm::Instruction& at, const char* what, const char* why);
  void remark_divergent_loop(const llvm::Instruction& branch);
  // Suppresses remarks while code is emitted a second time.
  void mute_remarks(bool is_muted) { is_muted_ = is_muted; }

 private:
  llvm::Constant* inactive_load_address(unsigned address_space);
  llvm::AllocaInst* inactive_store_address();
  void add_remark(const llvm::Instruction& at, const char* what, const char* why);
  unsigned work_item_params_begin() const;

  const EmitInputs inputs_;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  llvm::BasicBlock* entry_ = nullptr;
  llvm::AllocaInst* inactive_stores_ = nullptr;
  llvm::DILocation* inlined_at_ = nullptr;
  llvm::DenseMap<const llvm::DILocation*, llvm::DILocation*> inlined_locations_;
  bool is_muted_ = false;
};

} // namespace heddle::compiler
