// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers printf to records for the runtime.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Whether all arguments of printf are of types that it can take (OpenCL C 6.15.14); if not, that is
// an error of the build.
bool check_printf(llvm::Module& module, Build& build);

// Each call of printf, and of what ends a kernel (ir/end_kernel.h), builds the record of
// interface/printf_record.h on the stack and passes it to the worker, after check_printf(). Runs
// after AddWorkItemParamsPass.
class LowerPrintfPass : public llvm::PassInfoMixin<LowerPrintfPass> {
 public:
  explicit LowerPrintfPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
