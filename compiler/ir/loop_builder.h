// Counted loops in code that is being built.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle::compiler {

// Emits at the place of the builder and leaves it where the code goes on.
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
  // for (value = 0; value != end; value += step), at least once; the body is emitted after this
  // returns and end() closes it. `end` is 64 bits wide and a multiple of `step`.
  Loop begin(llvm::Value* end, const char* name, std::uint64_t step = 1);
  // for (value = first; value != end; value += step), perhaps never.
  Loop begin_from(llvm::Value* first, llvm::Value* end, const char* name, std::uint64_t step = 1);
  void end(const Loop& loop);

  // Copies of a whole kernel would cost more time to compile than they win.
  void keep_rolled(llvm::BranchInst* latch);
  llvm::BasicBlock* block(const char* name);

 private:
  Loop begin_head(llvm::BasicBlock* head, llvm::BasicBlock* after, llvm::Value* first,
                  llvm::Value* end, std::uint64_t step);

  llvm::IRBuilder<>& builder_;
};

} // namespace heddle::compiler
