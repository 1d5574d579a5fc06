// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kCheckFunction that tell of an access of a known size become calls of
// abi::RaceThread::access.
#pragma once

#include "compiler/lower/checked_calls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>

namespace heddle::compiler {

class RaceCalls {
 public:
  // The texts of places are those of `checks`.
  explicit RaceCalls(CheckCalls& checks) : checks_(checks) {}

  static bool is_access(const llvm::CallInst& check);
  // Numbers the place of each access before any of them is lowered.
  void add_site(const llvm::CallInst& check);
  // Replaces the check, in a function with work-item parameters. `item` is the linear local id.
  void lower(llvm::CallInst& check, llvm::Value* item);

 private:
  llvm::Constant* sites();

  CheckCalls& checks_;
  llvm::MapVector<llvm::Constant*, std::uint32_t> numbers_; // by text
  llvm::Constant* sites_ = nullptr;
};

} // namespace heddle::compiler
