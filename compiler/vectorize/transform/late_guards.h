// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds checks behind a kernel's work, as write_image and many programs have them:
//
//   before                 after
//   WORK                   if (not i < n in all lanes)
//   if (i < n)               start again in the masked variant
//     store                WORK
//                          store
//
// Masks and divergence then concern no sub-group inside of the bounds, so that rows may run side by
// side.
#pragma once

#include "compiler/vectorize/analysis/analyses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace heddle::compiler {

// Conditional branches that could be decided at `place`, before which nothing has a side effect:
// one side only skips the other, and the condition compares ids with the bounds of a range.
// `is_decidable`: whether lane 0's values show whether it holds in all lanes.
llvm::SmallVector<llvm::BranchInst*, 2>
find_late_guards(llvm::Instruction& place, const Analyses& analyses,
                 llvm::function_ref<bool(llvm::Value& condition)> is_decidable);

// Moves what the value is computed from before the instruction.
void hoist_before(llvm::Value& value, llvm::Instruction& place,
                  const llvm::DominatorTree& dominators);

} // namespace heddle::compiler
