// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers printf to records for the runtime.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Each call builds the record of interface/printf_record.h on the stack and passes it to the
// worker. An argument of a type that printf cannot take (OpenCL C 6.15.14) is an error of the
// build. Runs after AddWorkItemParamsPass.
class LowerPrintfPass : public llvm::PassInfoMixin<LowerPrintfPass> {
 public:
  explicit LowerPrintfPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
