// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The uses of a variable in local memory that async copies fill.
#pragma once

#include "compiler/lower/inline_policy.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace heddle::compiler {

// The name of the called function; empty if it is not known, or the instruction is not a call.
llvm::StringRef callee_name(const llvm::Instruction& instruction);

// All uses of a variable whose bytes come from one kernel argument. The variable is an array of
// equally large slots, such as the two halves of a double buffer (one slot: the whole variable);
// each copy begins at a slot.
struct LocalBufferUses {
  struct Copy {
    llvm::CallInst* call; // (to, from, bytes)
    llvm::Value* slot;    // its address in local memory
    std::uint64_t bytes;
  };
  struct Read {
    llvm::LoadInst* load;
    llvm::Value* slot; // that the loaded address is based on
  };

  // Nothing if the variable has other uses, or its address escapes.
  static std::optional<LocalBufferUses> find(llvm::CallInst& variable);

  // The index of a slot, 0 to slot_count - 1, as an i64.
  llvm::Value* slot_index(llvm::IRBuilder<>& builder, const llvm::Value& slot) const;

  llvm::CallInst* variable = nullptr;
  llvm::Argument* source = nullptr;
  llvm::SmallVector<Copy, 4> copies;
  llvm::SmallVector<Read, 16> reads;
  std::uint64_t slot_bytes = 0;
  std::uint64_t slot_count = 1;
};

} // namespace heddle::compiler
