// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masked stores of one element.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Masked stores whose mask is a constant with one lane, as in a tail of one work-item, become
// scalar stores. LLVM 22 stores too many bytes for truncated values (llvm/llvm-project#179489).
// Masked accesses of vectors of pointers get the alignment of one pointer, since LLVM 22 takes that
// of the vector for each of them where the CPU has no masked accesses. Runs late, when masks are
// constants.
class ScalarizeMaskedStoresPass : public llvm::PassInfoMixin<ScalarizeMaskedStoresPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
