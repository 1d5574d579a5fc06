// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: the bounds of a kernel's arguments, in the kernel.
#pragma once

#include "compiler/ir/work_item_params.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Alignment.h"

#include <map>
#include <tuple>

namespace heddle::compiler {

// Loads them from abi::Launch::bounds, at the beginning of the function, which is a kernel's body.
class ArgumentBounds {
 public:
  explicit ArgumentBounds(llvm::Function& function)
      : function_(function), params_(work_item_params(function)) {}

  llvm::Value* worker();
  // The first address of the argument's memory.
  llvm::Value* begin_of(llvm::Argument& argument) { return bounds_of(argument).begin; }
  // The number of addresses at which so many bytes are in bounds; none if the argument's value has
  // not this alignment. `builder` is where the bytes are known.
  llvm::Value* count_of(llvm::Argument& argument, llvm::Value& bytes, llvm::Align alignment,
                        llvm::IRBuilderBase& builder);

 private:
  struct Bounds {
    llvm::Value* begin;
    llvm::Value* bytes;
  };
  const Bounds& bounds_of(llvm::Argument& argument);
  llvm::IRBuilder<> at_beginning() const;

  llvm::Function& function_;
  const WorkItemParams params_;
  llvm::Value* worker_ = nullptr;
  llvm::Value* table_ = nullptr;
  llvm::DenseMap<const llvm::Argument*, Bounds> bounds_;
  // By argument, bytes and alignment.
  std::map<std::tuple<unsigned, std::uint64_t, std::uint64_t>, llvm::Value*> counts_;
  llvm::Instruction* last_ = nullptr; // of those at the beginning
};

} // namespace heddle::compiler
