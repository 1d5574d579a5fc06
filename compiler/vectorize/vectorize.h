// The SPMD vectoriser: a kernel becomes a function that runs a sub-group of work-items at once.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "compiler/ir/target_info.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Makes the vector forms of a kernel whose calls have been inlined (Kernel::wide and tail), in the
// width that was asked for or the one that suits it. Leaves the kernel scalar where that is asked
// for or where there is no other way.
class VectorizePass : public llvm::PassInfoMixin<VectorizePass> {
 public:
  explicit VectorizePass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
