// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the calls that run one barrier region for the sub-groups of a work-group.
#pragma once

#include "compiler/ir/loop_builder.h"
#include "compiler/workgroup/group_partition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle::compiler {

// The groups that a region loop is emitted for.
enum class GroupShape : std::uint8_t {
  rows,       // any
  single_row, // one row of whole sub-groups
  crossing,   // those that run the variant `crossing`
};

// What is kept of the regions that follow, as the sub-groups return them.
enum class SuccessorUse : std::uint8_t {
  none, // the region has one successor only
  last, // that of the last sub-group: all return the same
  all,  // that of each sub-group, in its frame
};

struct RegionRun {
  // The region of all sub-groups; null: each runs the one that its frame names, unless that is 0,
  // the kernel's end.
  llvm::Value* region = nullptr;
  // Of a run with `region` null, an i1: the frames name no region yet, all run region 0.
  llvm::Value* is_first = nullptr;
  SuccessorUse successors = SuccessorUse::all;
  bool is_uniform = false; // one sub-group of each variant runs it for all
};

// Sub-groups are numbered row by row; the number selects the frame.
class RegionRunner {
 public:
  // Emits, at the insertion point of the builder, what is needed once for each group.
  RegionRunner(llvm::IRBuilder<>& builder, const Kernel& kernel, const GroupValues& values);

  // Runs the region for all sub-groups. Uniform values that it stores become those that the next
  // region loads.
  void run(GroupShape shape, const RegionRun& run);

  // After a run with SuccessorUse::last.
  llvm::Value* load_last_successor();
  // Before and after a run with SuccessorUse::all: all successors, combined by and, and by or. They
  // are equal if all sub-groups have the same successor; the second is 0 if all are at the end.
  void reset_successors();
  llvm::Value* load_successors_and();
  llvm::Value* load_successors_or();

  // Whether the group is a GroupShape::single_row.
  llvm::Value* emit_is_single_row();
  // Stores the linear local id to the worker, for reports of faults.
  void emit_current_item(llvm::Value* item);

 private:
  void run_all_sub_groups(GroupShape shape);
  void run_row_blocks(llvm::Value* z, llvm::Value* rows, llvm::Value* per_row);
  void run_one_sub_group(GroupShape shape);
  void call_variant(VariantKind kind, llvm::SmallVector<llvm::Value*, 12> hidden_arguments,
                    llvm::Value* number, llvm::Value* first_item);
  void emit_if_nonzero(llvm::Value* count, const char* name, llvm::function_ref<void()> emit);
  llvm::AllocaInst* create_variable(const char* name, llvm::Type* type);
  llvm::Value* item_count();
  llvm::Value* sub_group_count(llvm::Value* items) {
    return emit_sub_group_count(builder_, kernel_, items);
  }
  bool has_uniform_regions() const;
  bool has(VariantKind kind) const { return kernel_.variants.has(kind); }
  unsigned width() const { return kernel_.metadata.vector_width; }
  // The variant that runs sub-groups whose lanes are all active.
  VariantKind full() const {
    return has(VariantKind::whole) ? VariantKind::whole : VariantKind::scalar;
  }

  llvm::IRBuilder<>& builder_;
  AbiBuilder abi_;
  LoopBuilder loops_;
  const Kernel& kernel_;
  const GroupValues& values_;
  llvm::AllocaInst* last_successor_;
  llvm::AllocaInst* successors_and_;
  llvm::AllocaInst* successors_or_;
  llvm::Value* frames_ = nullptr;
  llvm::Value* ids_wrap_ = nullptr; // null: ids do not wrap in any group
  RegionRun run_;                   // the current one
  // Of a convergent kernel, for each variant: the values that are the same for all sub-groups.
  struct UniformValues {
    llvm::AllocaInst* in;  // what a region loads
    llvm::AllocaInst* out; // what it stores
  };
  llvm::SmallDenseMap<llvm::Function*, UniformValues, 4> uniform_values_;
};

} // namespace heddle::compiler
