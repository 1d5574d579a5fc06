// Variables in local memory that async copies fill.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace heddle::compiler {

constexpr llvm::StringLiteral kCopies = "__heddle_call_once_copy_"; // (to, from, ...)

// The name of what is called; empty if that is not known, or no call.
llvm::StringRef callee_of(const llvm::Instruction& instruction);

// A variable with all that is done with it: copies of one argument's memory into it, each to the
// begin of one of its places, and reads.
struct LocalBufferUses {
  struct Copy {
    llvm::CallInst* call; // (to, from, bytes)
    llvm::Value* place;   // in local memory
    std::uint64_t bytes;
  };
  struct Read {
    llvm::LoadInst* load;
    llvm::Value* place; // that it is counted from
  };

  // Nothing if anything else is done with the variable, or its address gets where it cannot be
  // followed.
  static std::optional<LocalBufferUses> find(llvm::CallInst& variable);

  // Which of the places it is: 0 to places - 1, 64 bits.
  llvm::Value* number_of(llvm::IRBuilder<>& builder, const llvm::Value& place) const;

  llvm::CallInst* variable = nullptr;
  llvm::Argument* source = nullptr;
  llvm::SmallVector<Copy, 4> copies;
  llvm::SmallVector<Read, 16> reads;
  std::uint64_t place_bytes = 0; // from one place that is copied to to the next
  std::uint64_t places = 1;
};

} // namespace heddle::compiler
