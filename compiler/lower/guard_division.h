// Integer division that does not trap, or traps for certain.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// OpenCL C 6.4: dividing by zero, and the least value by -1, give an unspecified value and raise no
// exception. Divisors for which that cannot be excluded are replaced by 1 in those cases; with
// `trap`, the processor's division fault (SIGFPE) is raised in those cases instead, whatever the
// optimiser makes of the division itself.
class GuardDivisionPass : public llvm::PassInfoMixin<GuardDivisionPass> {
 public:
  explicit GuardDivisionPass(bool traps) : traps_(traps) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  bool traps_;
};

} // namespace heddle::compiler
