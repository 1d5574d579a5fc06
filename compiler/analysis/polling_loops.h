// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which a work-item may wait for another one, such as spin locks and waits for flags.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// The loops that may only end when another work-item has written something: their exits depend on
// memory at one address that each iteration reads atomically, through a volatile pointer, or behind
// a fence, or on packets of a pipe. Not among them are loops that end after a known number of
// iterations, and those that repeat a compare-and-exchange until no other work-item comes between:
// these wait for nothing.
//
// In code without optimizations, whose variables are in memory, loops may be found that do not
// wait.
llvm::SmallVector<llvm::Loop*, 4> find_polling_loops(llvm::Function& function,
                                                     llvm::FunctionAnalysisManager& analyses);

} // namespace heddle::compiler
