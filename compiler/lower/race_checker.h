// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of single accesses for HEDDLE_CHECK=race.
#pragma once

#include "compiler/lower/checked_calls.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

class RaceChecker {
 public:
  // Accesses of the library have the place of its caller.
  explicit RaceChecker(CheckCalls& checks, bool is_library = false)
      : checks_(checks),
        place_(is_library ? CheckCalls::Place::of_inlined_call : CheckCalls::Place::here) {}

  // Inserts the checks of what the instruction accesses, if anything that other work-items may
  // access, and of a fence.
  void insert(llvm::Instruction& instruction);

 private:
  void insert_access(abi::CheckedCall kind, llvm::Value* pointer, llvm::Value* bytes,
                     llvm::ArrayRef<llvm::Value*> more, llvm::Instruction& before);
  void insert_atomic(llvm::Instruction& instruction, llvm::Value* pointer, llvm::Type* type,
                     std::uint64_t order);
  void insert_store(llvm::StoreInst& store);

  CheckCalls& checks_;
  const CheckCalls::Place place_;
};

} // namespace heddle::compiler
