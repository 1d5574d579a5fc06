// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hoists barriers out of loops in which only the group's first work-item has an effect, such as
// loops of copies that are waited for one by one.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Erases the barriers of such a loop and inserts one in its preheader and one in each exit block.
// The loop is then within a uniform region (BarrierRegions), which runs for the first sub-group
// only and keeps its values in registers.
//
// For the body of a kernel whose calls were inlined. Runs after ElideLocalCopiesPass, which treats
// waits as barriers.
//
//   for (...) { copy; wait; barrier; }           barrier; for (...) { copy; wait; } barrier;
class HoistBarriersPass : public llvm::PassInfoMixin<HoistBarriersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
