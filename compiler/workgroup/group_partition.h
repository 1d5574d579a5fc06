// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the rows of a work-group are divided among the variants of a kernel.
#pragma once

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// The values that code for one work-group uses.
struct GroupValues {
  llvm::SmallVector<llvm::Value*, 12> arguments; // of the kernel
  llvm::Value* group;                            // abi::Group*
  llvm::Value* worker;                           // abi::Worker*
  llvm::Value* size[3];                          // work-items in each dimension, i64
};

// The functions below emit their code at the insertion point of the builder. `ids_wrap` is the
// result of emit_id_wrap_check(); null: ids do not wrap in any group.

// Sub-groups in a row of `items` work-items, the last of which may be partial.
llvm::Value* emit_sub_group_count(llvm::IRBuilder<>& builder, const Kernel& kernel,
                                  llvm::Value* items);

// Whether a group of `items` work-items with rows of `size_x` runs the variant `crossing`.
llvm::Value* emit_crosses_rows(llvm::IRBuilder<>& builder, const Kernel& kernel,
                               llvm::Value* size_x, llvm::Value* items);

// The number of rows, from the first one on, that run the variant `block`. It is 0 if rows do not
// divide into whole sub-groups, if ids in x wrap, or if 32-bit ids in y change their sign within
// the distance of the small constants that may be added to them.
llvm::Value* emit_block_row_count(llvm::IRBuilder<>& builder, const Kernel& kernel,
                                  llvm::Value* size_x, llvm::Value* size_y, llvm::Value* ids_wrap,
                                  llvm::Value* group);

// The number of work-items, from the first one of a row of `size` on, that run the variant `whole`:
// a multiple of the width; 0 if ids wrap.
llvm::Value* emit_whole_item_count(llvm::IRBuilder<>& builder, const Kernel& kernel,
                                   llvm::Value* size, llvm::Value* ids_wrap);

// Runs the variant `tail` for the work-items from `first` to the end of a row of `size`, at least
// one. It is a loop only if ids may wrap: then there may be several sub-groups, or single
// work-items. The body is emitted between construction and end().
class TailLoop {
 public:
  TailLoop(llvm::IRBuilder<>& builder, const Kernel& kernel, llvm::Value* first, llvm::Value* size,
           llvm::Value* ids_wrap);
  // Closes the loop; control flow continues in `exit`.
  void end(llvm::BasicBlock* exit) const;

  llvm::Value* x;      // of the sub-group's first work-item
  llvm::Value* active; // number of active work-items

 private:
  llvm::IRBuilder<>& builder_;
  llvm::BasicBlock* header_ = nullptr; // null: there is no loop
  llvm::Value* size_;
  llvm::Value* step_;
};

} // namespace heddle::compiler
