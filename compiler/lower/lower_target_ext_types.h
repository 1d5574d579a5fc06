// Opaque OpenCL types as machine types.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Clang gives event_t and its like target types of SPIR-V, which the code generator of a CPU does
// not know. Rewrites the functions that mention them so that such values are plain pointers.
class LowerTargetExtTypesPass : public llvm::PassInfoMixin<LowerTargetExtTypesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
