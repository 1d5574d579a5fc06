// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long an innermost loop waits for the results of its own iterations.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// The cycles for each iteration that the loop-carried dependences take at least: of all cycles of
// dependences the one with the largest latency for each iteration that it spans. `latency` is that
// of an instruction. Behind divergent branches phis are selects, which also depend on
// `conditions_of` the phi. 0 if there are no recurrences, or the loop is too large.
double recurrence_latency(
    const llvm::Loop& loop, llvm::function_ref<double(const llvm::Instruction&)> latency,
    llvm::function_ref<llvm::SmallVector<const llvm::Value*, 4>(const llvm::PHINode&)>
        conditions_of);

} // namespace heddle::compiler
