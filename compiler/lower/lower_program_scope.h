// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables at program scope, in the block of memory that belongs to the cl_program.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Marks the variables that live in the block.
inline constexpr const char* kProgramScopeAttribute = "heddle-program-scope";

// Moves every variable in the global address space (OpenCL C 6.7.1), and every constant that refers
// to one or is referred to by one, to offsets in abi::Launch::program_scope. Writes the block's
// initial image and relocations to the metadata of the program, and the variables' offsets to that
// of the kernels. Runs after AddWorkItemParamsPass.
class LowerProgramScopePass : public llvm::PassInfoMixin<LowerProgramScopePass> {
 public:
  explicit LowerProgramScopePass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Marks these variables. Runs before AddWorkItemParamsPass, which must know their users.
class CollectProgramScopePass : public llvm::PassInfoMixin<CollectProgramScopePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
