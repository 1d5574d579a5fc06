// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches that ask whether active lanes access consecutive elements.
#pragma once

#include "compiler/local_memory/traced_values.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle::compiler {

// A speculative access (vectorize/emit/emit_speculative_access.h) is one block with gathers or
// scatters, and another one, or several, with the same for consecutive elements:
//
//   br (no active lane is elsewhere), %consecutive, %general
//
// Where addresses are known but the mask is not, the general block does the same as the others.
class ConsecutiveAccesses {
 public:
  using Execute = llvm::function_ref<bool(llvm::Instruction&)>;

  // `execute` executes an instruction that does not access memory.
  ConsecutiveAccesses(TracedValues& values, const llvm::DataLayout& layout, Execute execute)
      : values_(values), layout_(layout), execute_(execute) {}

  // The general block of a branch whose condition is not constant, if it is such a branch and both
  // sides are the same; else null.
  llvm::BasicBlock* general_block(const llvm::BranchInst& branch, llvm::Value* condition);

 private:
  using Accesses = llvm::SmallVector<llvm::Instruction*, 4>;
  struct Check {
    llvm::BasicBlock* general;
    llvm::BasicBlock* consecutive;
    const llvm::Constant* elsewhere; // lanes that are not consecutive
  };
  static std::optional<Check> check_of(const llvm::BranchInst& branch, llvm::Value* condition);

  llvm::BasicBlock* follow(llvm::BasicBlock* block, llvm::BasicBlock* general);
  bool execute_beside(llvm::BasicBlock& block, Accesses& accesses);
  bool are_same(const llvm::Instruction& consecutive, const llvm::Instruction& general);
  bool is_consecutive(const TracedAddress& first, const TracedAddress& all, llvm::Type* element);
  bool pair(Accesses general);

  TracedValues& values_;
  const llvm::DataLayout& layout_;
  const Execute execute_;
  Accesses accesses_;                                     // of the consecutive blocks
  llvm::SmallVector<const llvm::Constant*, 4> elsewhere_; // by check
  llvm::BasicBlock* last_ = nullptr;
  llvm::DenseMap<const llvm::Value*, const llvm::Value*> same_; // consecutive to general loads
};

} // namespace heddle::compiler
