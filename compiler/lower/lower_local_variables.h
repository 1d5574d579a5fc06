// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __local variables as offsets in the group's local memory.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Assigns each __local variable an offset in abi::Group::local_memory and sets
// KernelMetadata::local_bytes and ::variables. A variable that several kernels use has the same
// offset in all of them; others take space in their own kernel only. In the code a variable becomes
// a call that stands for its address, so that accesses can be attributed to variables. Runs after
// AddWorkItemParamsPass.
class AllocateLocalVariablesPass : public llvm::PassInfoMixin<AllocateLocalVariablesPass> {
 public:
  explicit AllocateLocalVariablesPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

bool is_local_variable(const llvm::Instruction& instruction);
// One call for each variable of a function, at its start.
llvm::SmallVector<llvm::CallInst*, 4> local_variables(llvm::Function& function);
std::uint64_t local_variable_bytes(const llvm::CallInst& variable);

// Replaces these calls by addresses in abi::Group::local_memory.
class LowerLocalVariablesPass : public llvm::PassInfoMixin<LowerLocalVariablesPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
