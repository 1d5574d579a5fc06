// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch of a kernel will take, before it is optimized.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Adds kWorkSymbol (interface/work_estimate.h) to a module with one kernel: the instructions,
// floating-point operations and bytes of its body and of what it calls, times the trip counts of
// loops, as far as constants, arguments and sizes of the launch decide on these. Needs variables in
// registers, and work-item queries that are still calls, which it moves to the start of their
// functions.
//
//   for (int i = get_global_id(0); i < n; i += get_global_size(0))
//
//   k: 9 7 argument2 global_size0 / 1 + 0 max * +
class EstimateWorkPass : public llvm::PassInfoMixin<EstimateWorkPass> {
 public:
  explicit EstimateWorkPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
