// printf calls as records for the runtime.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Builds the record of interface/printf_record.h on the stack for each call and hands it to the
// worker. False if an argument has a type that printf cannot take (OpenCL C 6.15.14). Needs
// add_work_item_params.
class LowerPrintfPass : public llvm::PassInfoMixin<LowerPrintfPass> {
 public:
  explicit LowerPrintfPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
