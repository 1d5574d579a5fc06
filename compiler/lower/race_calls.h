// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kCheckFunction that tell of an access of a known size, or of a barrier, become calls of
// the functions of abi::RaceThread.
#pragma once

#include "compiler/lower/checked_calls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>

namespace heddle::compiler {

class RaceCalls {
 public:
  // The texts of places are those of `checks`. `finds_divergence`: barriers are records.
  RaceCalls(CheckCalls& checks, bool finds_divergence)
      : checks_(checks), finds_divergence_(finds_divergence) {}

  static bool is_access(const llvm::CallInst& check);
  // Whether it is one of those that are lowered here.
  bool lowers(const llvm::CallInst& check) const;
  // Numbers the place of each access before any of them is lowered.
  void add_site(const llvm::CallInst& check);
  // Replaces such a check, in a function with work-item parameters. `item` is the linear local id.
  void lower(llvm::CallInst& check, llvm::Value* item);

 private:
  static bool is_barrier(const llvm::CallInst& check);
  void lower_access(llvm::CallInst& check, llvm::Value* races, llvm::Value* item);
  llvm::Constant* sites();

  CheckCalls& checks_;
  const bool finds_divergence_;
  llvm::MapVector<llvm::Constant*, std::uint32_t> numbers_; // by text
  llvm::Constant* sites_ = nullptr;
};

} // namespace heddle::compiler
