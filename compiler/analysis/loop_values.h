// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that a loop computes, and how they change from one iteration to the next.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

class LoopValues {
 public:
  using Predicate = llvm::function_ref<bool(const llvm::Instruction&)>;

  explicit LoopValues(const llvm::Loop& loop) : loop_(loop) {}

  bool has(Predicate is_searched) const;
  // Whether the loop computes the value from an instruction of it for which the predicate holds.
  bool depends_on(const llvm::Value& value, Predicate is_searched) const;
  // Adds the values of the phi that come from within the loop.
  void add_incoming(const llvm::PHINode& phi,
                    llvm::SmallVectorImpl<const llvm::Value*>& values) const;
  // Whether a value of the header may be the same in the next iteration, such as the index of a
  // flag that is waited for before the next one.
  bool may_stay(const llvm::PHINode& value) const;
  // Whether the loop only chooses among a few addresses, such as those of two flags.
  bool is_one_of_few(const llvm::Value& address) const;

 private:
  bool is_chosen(const llvm::Value& value) const;

  const llvm::Loop& loop_;
};

} // namespace heddle::compiler
