// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two 32-bit lanes in an i64.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// An instruction that extracts one of two lanes from the i64 that VectorCombinePass packed them
// into becomes an extractelement. This is as fast, and code generation of LLVM 22 loses the upper
// lane if the lower one is an index.
class SplitPackedLanesPass : public llvm::PassInfoMixin<SplitPackedLanesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
