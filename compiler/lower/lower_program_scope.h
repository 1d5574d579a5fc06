// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables at program scope, in the block of memory that belongs to the cl_program.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Marks the variables that live in the block; its value is the offset, in decimal digits.
inline constexpr const char* kProgramScopeAttribute = "heddle-program-scope";

// Assigns every variable in the global address space (OpenCL C 6.7.1), and every constant that
// refers to one or is referred to by one, an offset in abi::Launch::program_scope, and writes the
// block's initial image and relocations to the metadata of the program. The kernels of a program
// share the block, so this runs before they are separated. False, with an error in the log, if an
// initializer cannot be evaluated.
bool collect_program_scope(llvm::Module& module, Build& build);

// The same as a pass. Runs before AddWorkItemParamsPass, which must know what uses these variables.
class CollectProgramScopePass : public llvm::PassInfoMixin<CollectProgramScopePass> {
 public:
  explicit CollectProgramScopePass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Replaces these variables by addresses in the block, and writes their offsets to the metadata of
// the kernels. Runs after AddWorkItemParamsPass.
//
// With memory checks, a call stands for the variable's address (checked_objects.h).
//
//   load i32, ptr addrspace(1) @counter          %block = load ptr, (launch.program_scope)
//                                                load i32, ptr (%block + OFFSET)
class LowerProgramScopePass : public llvm::PassInfoMixin<LowerProgramScopePass> {
 public:
  explicit LowerProgramScopePass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
