// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_initialize_memory for programs that Clang compiled without it.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Stores zeros to each variable on the stack where its lifetime begins. Runs before any pass that
// makes registers of variables. Binaries are bitcode that another context has compiled; of source,
// Clang does the same.
class ZeroPrivatePass : public llvm::PassInfoMixin<ZeroPrivatePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
