// Loops in which nobody but the group's first work-item does anything, such as loops of copies that
// are waited for one by one: the group meets before and behind them instead of in every round.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Takes the barriers out of such loops and puts one before each of them and one where they end.
// What is between those two is a step of which all is done by the first sub-group
// (region_loops.h), whose values stay in registers.
//
// For a kernel's body whose calls were inlined, behind elide_local_copies, to which waits are
// barriers.
class HoistBarriersPass : public llvm::PassInfoMixin<HoistBarriersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
