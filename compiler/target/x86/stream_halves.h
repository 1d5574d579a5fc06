// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores of halves that bypass the caches.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Nontemporal stores of vectors of halves become such of floats. LLVM 22 has no instruction for
// them with AVX-512, FP16 or not, and emits stores through the caches.
// Runs last: LLVM's passes would undo it, and its code generator does so without the fence.
class StreamHalvesPass : public llvm::PassInfoMixin<StreamHalvesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
