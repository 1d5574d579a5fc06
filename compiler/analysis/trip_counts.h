// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often loops iterate, as formulas of what a launch passes, for `estimate-work`.
#pragma once

#include "compiler/interface/metadata.h"
#include "compiler/interface/work_estimate.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

#include <vector>

namespace heddle::compiler {

// Whether it calls a work-item function that formulas know.
bool is_work_item_query(const llvm::Value& value);

class TripCounts {
 public:
  using Formula = std::vector<WorkEstimate::Step>;

  // `kernel`: of the function, or null.
  TripCounts(llvm::ScalarEvolution& evolution, const KernelMetadata* kernel)
      : evolution_(evolution), kernel_(kernel) {}

  // Appends the loop's trip count; unknown_trips if it depends on something else. False if the
  // formula is too long.
  bool push(const llvm::Loop& loop, Formula& out);

 private:
  bool push_distance(const llvm::Loop& loop, Formula& out);
  bool push_all(const llvm::SCEVNAryExpr& expression, WorkEstimate::Op op, Formula& out);
  bool push_recurrence(const llvm::SCEVAddRecExpr& recurrence, Formula& out);
  bool push_unknown(const llvm::Value& value, Formula& out);
  bool push(const llvm::SCEV& value, Formula& out);

  llvm::ScalarEvolution& evolution_;
  const KernelMetadata* const kernel_;
};

} // namespace heddle::compiler
