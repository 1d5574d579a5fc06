// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the opaque types of OpenCL C.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Clang represents event_t and similar types by target extension types of SPIR-V, which the X86
// backend does not support. Functions that use them are rewritten with pointers.
class LowerTargetExtTypesPass : public llvm::PassInfoMixin<LowerTargetExtTypesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
