// Local memory of the builtin library's own.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// True for the functions that lower_builtin_local_memory replaces.
bool is_builtin_local_memory(llvm::StringRef name);

// Gives every group the places in local memory that functions of the library (pipes.cl,
// work_groups.cl) ask for by name: __local variables, which OpenCL C lets no function but a kernel
// declare. Before allocate_local_variables.
class LowerBuiltinLocalMemoryPass : public llvm::PassInfoMixin<LowerBuiltinLocalMemoryPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
