// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instructions of a function are while its code is executed at compile time.
#pragma once

#include "compiler/local_memory/traced_memory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <unordered_map>

namespace heddle::compiler {

// Whether a pointer is loaded to the frames of barrier regions (workgroup/region_frame.h).
bool is_frames_of_worker(const llvm::LoadInst& load);

// An instruction that was executed is a constant or a value in the code that is made, or an address
// in the group's memory: in local memory or in the frames of barrier regions. One that was not
// executed is itself, if it is before the code.
class TracedValues {
 public:
  // `frames` stands for all pointers to frames.
  TracedValues(const llvm::DataLayout& layout, const llvm::DominatorTree& dominators,
               llvm::LoadInst* frames)
      : layout_(layout), dominators_(dominators), frames_(frames) {}

  void begin_after(llvm::BasicBlock* block) { begin_ = block; }
  void enter(llvm::BasicBlock* block) { executed_.insert(block); }

  // False since value_of() was asked for an instruction that is neither, or is an address.
  bool is_valid() const { return is_valid_; }
  llvm::Value* value_of(llvm::Value* value);
  // Null if it is none. It may be used until its instruction is executed again.
  const TracedAddress* address_of(llvm::Value* value);
  bool has_address(llvm::Instruction& instruction);

  void set(const llvm::Value& instruction, llvm::Value* value);
  void set(const llvm::Value& instruction, TracedAddress address);

  // Executes an instruction that has an address and computes or compares addresses. False if the
  // result is not known.
  bool execute_address(llvm::Instruction& instruction);

 private:
  llvm::Value* root_of(llvm::Value& value) const;
  std::optional<TracedAddress> index(llvm::GetElementPtrInst& gep, const TracedAddress& base);
  bool compare(const llvm::ICmpInst& compare);
  bool shuffle(const llvm::ShuffleVectorInst& shuffle);

  const llvm::DataLayout& layout_;
  const llvm::DominatorTree& dominators_;
  llvm::LoadInst* frames_;
  llvm::BasicBlock* begin_ = nullptr;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> values_;
  std::unordered_map<const llvm::Value*, TracedAddress> addresses_; // which stay where they are
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> executed_;
  bool is_valid_ = true;
};

} // namespace heddle::compiler
