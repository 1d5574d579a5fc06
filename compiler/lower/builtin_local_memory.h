// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory that the builtin library uses.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Whether LowerBuiltinLocalMemoryPass replaces calls of the function.
bool is_builtin_local_memory(llvm::StringRef name);

// Functions by which the library (pipes.cl, work_groups.cl) gets the address of local memory become
// __local variables, which OpenCL C allows in kernels only. Runs before AllocateLocalVariablesPass.
//
//   %p = call ptr addrspace(3) __heddle_group_reservation()     %p = @heddle.reservation
class LowerBuiltinLocalMemoryPass : public llvm::PassInfoMixin<LowerBuiltinLocalMemoryPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
