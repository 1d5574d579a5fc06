// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions in which a program uses sub-groups.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks each function that calls a builtin of sub-groups, also in functions that it calls. Runs
// before LinkBuiltinsPass: builtins of work-groups use the same operations between lanes.
//
//   define spir_kernel void @k() {                define spir_kernel void @k() #0 {
//     call i32 @_Z20sub_group_reduce_addi(...)      attributes #0 = { "heddle-uses-sub-groups" }
class MarkSubGroupUsersPass : public llvm::PassInfoMixin<MarkSubGroupUsersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Whether MarkSubGroupUsersPass has marked the function, or the one that this is the kernel body
// of.
bool uses_sub_groups(const llvm::Function& function);

} // namespace heddle::compiler
