// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits counted loops.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Emits at the insertion point of the builder and leaves it after the loop.
class LoopBuilder {
 public:
  explicit LoopBuilder(llvm::IRBuilder<>& builder) : builder_(builder) {}

  struct Loop {
    llvm::PHINode* value; // first, first + step, first + 2 * step, ...
    llvm::BasicBlock* head;
    llvm::BasicBlock* after;
    llvm::Value* end;
    std::uint64_t step;
  };
  // for (value = 0; value != end; value += step), executed at least once. The caller then emits the
  // body and calls end(). `end` is an i64 and a multiple of `step`.
  Loop begin(llvm::Value* end, const char* name, std::uint64_t step = 1);
  // for (value = first; value != end; value += step), possibly without an iteration.
  Loop begin_from(llvm::Value* first, llvm::Value* end, const char* name, std::uint64_t step = 1);
  void end(const Loop& loop);

  // Disables unrolling: the body is a whole kernel, and copies of it cost more compile time than
  // they gain.
  void keep_rolled(llvm::BranchInst* latch);
  llvm::BasicBlock* block(const char* name);

 private:
  Loop begin_head(llvm::BasicBlock* head, llvm::BasicBlock* after, llvm::Value* first,
                  llvm::Value* end, std::uint64_t step);

  llvm::IRBuilder<>& builder_;
};

} // namespace heddle::compiler
