// Decides which calls are inlined.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks functions so that everything is inlined into the kernels, but for functions that recurse,
// those of the library that ask to be called,
// and those that would make the program grow without bound (the sum of inlined sizes has a limit).
class ApplyInlinePolicyPass : public llvm::PassInfoMixin<ApplyInlinePolicyPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Whether it is a function of the library that is better called: it stays as it is, and the
// vectoriser may know a form of it for all lanes.
bool is_kept_out_of_line(const llvm::Function& function);
// Whether one call does what a sub-group asks for, whose lanes all ask for the same.
bool is_called_once_per_subgroup(const llvm::Function& function);

} // namespace heddle::compiler
