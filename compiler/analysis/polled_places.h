// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a loop may see that another work-item has written.
#pragma once

#include "compiler/analysis/loop_values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Whether a function that was not inlined, or one that it calls, has accesses that may poll.
class CalledAccesses {
 public:
  bool may_poll(const llvm::Function& function);

 private:
  llvm::DenseMap<const llvm::Function*, bool> known_;
};

// Whether the pointer is to a private variable.
bool is_private(const llvm::Value& pointer);

class PolledPlaces {
 public:
  using Instructions = llvm::SmallPtrSet<const llvm::Instruction*, 8>;

  PolledPlaces(const llvm::Loop& loop, const LoopValues& values, llvm::Function& function,
               llvm::FunctionAnalysisManager& analyses, CalledAccesses& called)
      : loop_(loop), values_(values), function_(function), analyses_(analyses), called_(called) {}

  // The instructions of the loop that read the same places again until another work-item has
  // written there.
  Instructions find();
  // Whether the exchange is in this loop, not in one inside, and expects just what the same
  // iteration, or the one before, has read there, so that it only fails if another work-item has
  // written in between.
  bool is_retry(const llvm::AtomicCmpXchgInst& exchange);
  // Whether the two addresses are the same in each iteration.
  bool is_same(const llvm::Value& first, const llvm::Value& second);

 private:
  const llvm::Value* polled_place(const llvm::Instruction& instruction, bool has_fence);
  bool is_undone(const llvm::AtomicRMWInst& update);
  bool changes_with_iteration(const llvm::Value& address, bool is_exchange);
  bool leads_on(const llvm::PHINode& value, const llvm::Value& address);
  bool comes_round(const llvm::Value& address, std::uint64_t counter_bits);

  const llvm::Loop& loop_;
  const LoopValues& values_;
  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  CalledAccesses& called_;
};

} // namespace heddle::compiler
