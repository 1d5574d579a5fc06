// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: what instructions access.
#pragma once

#include "compiler/interface/check_record.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constant.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Alignment.h"

#include <cstdint>

namespace heddle::compiler {

struct Access {
  abi::CheckedCall kind;
  llvm::Value* pointer; // or the offset in an object (checked_objects.h)
  llvm::Value* bytes;   // an integer; 0: only the alignment is checked
  llvm::Align alignment;
  llvm::Constant* place = nullptr; // null: that of the instruction
  llvm::Value* object = nullptr;   // an abi::CheckedObject
  std::uint64_t object_bytes = 0;  // 0 if that is no constant
};

// Loads, stores, atomic operations, copies and fills; none of other instructions.
llvm::SmallVector<Access, 2> accesses_of(llvm::Instruction& instruction);

} // namespace heddle::compiler
