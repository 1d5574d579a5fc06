// Runs one work-group of a kernel that is split at its barriers.
#pragma once

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/kernel.h"
#include "compiler/ir/loop_builder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle::compiler {

// What a work-group's code has at hand.
struct GroupValues {
  llvm::SmallVector<llvm::Value*, 12> arguments; // the kernel's
  llvm::Value* group;                            // abi::Group*
  llvm::Value* worker;                           // abi::Worker*
  llvm::Value* size[3];                          // work-items, 64 bits
};

// Whether a group with rows of `size_x` is for the variant `crossing`.
llvm::Value* crosses_rows(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* size_x,
                          llvm::Value* items);

// Rows, from the first on, that are run in blocks of launch.block_rows: none, if they do not divide
// into whole sub-groups or ids in x wrap (null: nowhere) or in y, with small constants beside them,
// change their sign in 32 bits.
llvm::Value* rows_in_blocks(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* size_x,
                            llvm::Value* size_y, llvm::Value* ids_wrap, llvm::Value* group);

// Work-items of a row of `size` that are run in whole sub-groups: as many as there are, but none
// where ids wrap (null: nowhere).
llvm::Value* whole_sub_groups(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* size,
                              llvm::Value* ids_wrap);

// What is left of a row behind `whole` work-items, at least one: a loop if ids may wrap (null:
// nowhere), so that it may be more than one sub-group, or work-items one at a time. What is to be
// done for each is emitted between construction and end().
class RestOfRow {
 public:
  RestOfRow(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* whole, llvm::Value* size,
            llvm::Value* ids_wrap);
  void end(llvm::BasicBlock* after) const; // branches there

  llvm::Value* x;      // of the sub-group's first work-item
  llvm::Value* active; // its work-items

 private:
  llvm::IRBuilder<>& builder_;
  llvm::BasicBlock* head_ = nullptr; // null: there is one sub-group only
  llvm::Value* size_;
  llvm::Value* step_;
};

// Emits, at the place of the builder:
//   step = 0
//   do { for all sub-groups: step = run(step) } while (step != 0)
// with loops of their own for each step, in which its number is a constant, unless that would make
// too much code. What comes behind a step that always leads to the same barrier is not asked.
// Sub-groups that come to different barriers, or to the end while others wait, are not the
// program's right (OpenCL C 6.15.8), but nothing is lost: each goes on with its own step.
// Where control flow tells that all come to the same barrier nobody is asked, what is common to
// them becomes variables of the group, and a step in which there is nothing else is run for the
// first sub-group of each form alone.
class RegionLoopEmitter {
 public:
  RegionLoopEmitter(llvm::IRBuilder<>& builder, const Kernel& kernel, const GroupValues& values);
  void emit();

 private:
  // Rows in general, one row of whole sub-groups, rows that sub-groups cross.
  enum class Form : std::uint8_t { rows, line, crossing };
  bool has_lines_apart() const;
  llvm::Value* is_line();
  llvm::CallInst* call_alone(llvm::Function* function);
  llvm::Value* runs_alone();
  void run_alone();
  void emit_rounds(Form form);
  // Where the steps begin and where they end.
  struct Regions {
    llvm::SmallVector<llvm::BasicBlock*, 8> steps;
    llvm::BasicBlock* done = nullptr;
    // Null if each step leads to one other only.
    llvm::BasicBlock* dispatch = nullptr;
    llvm::PHINode* step = nullptr; // the one that comes next, in `dispatch`
    llvm::BasicBlock* mixed = nullptr;
  };
  void emit_step(Form form, const Regions& regions, unsigned number);
  void emit_mixed(Form form, llvm::Value* is_first, llvm::BasicBlock* done);
  void run_step(Form form, bool is_common);
  void note_item(llvm::Value* item);
  void for_all_sub_groups(Form form);
  void for_one_sub_group(Form form);
  void if_there_are(llvm::Value* count, const char* name, llvm::function_ref<void()> run);
  void for_all_blocks(llvm::Value* z, llvm::Value* rows, llvm::Value* per_row);
  void turn(llvm::Function* function, llvm::SmallVector<llvm::Value*, 12> own, llvm::Value* number,
            llvm::Value* first_item);
  void begin_round();
  llvm::AllocaInst* variable(const char* name, llvm::Type* type);
  llvm::Value* sub_groups_in(llvm::Value* items);
  bool has_common_steps() const { return llvm::is_contained(kernel_.regions.is_uniform, true); }
  unsigned width() const { return kernel_.metadata.vector_width; }
  bool has_blocks() const { return kernel_.variants.has(VariantKind::block); }

  llvm::IRBuilder<>& builder_;
  AbiBuilder access_;
  LoopBuilder loops_;
  const Kernel& kernel_;
  const GroupValues& values_;
  llvm::Value* frames_ = nullptr;
  llvm::Value* ids_wrap_ = nullptr; // null: they do not in any group
  llvm::Value* step_ = nullptr;     // the step of all sub-groups; null: what each frame says
  llvm::Value* is_first_ = nullptr; // with step_ null: no frame says anything yet
  // Of what the sub-groups return: nothing, if there is but one next step; the last, if all return
  // the same; or all of them.
  enum class Keeps : std::uint8_t { nothing, last, all };
  Keeps keeps_ = Keeps::all;
  bool notes_items_ = true; // of each sub-group that has its turn
  llvm::AllocaInst* last_ = nullptr;
  // All of this round, put together by and and by or.
  llvm::AllocaInst* all_ = nullptr;
  llvm::AllocaInst* any_ = nullptr;
  // Of a kernel that is in step, for each form: what is common, before and behind a step.
  struct Common {
    llvm::AllocaInst* before;
    llvm::AllocaInst* after;
  };
  llvm::SmallDenseMap<llvm::Function*, Common, 4> common_;
};

} // namespace heddle::compiler
