// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: checks plain loads, stores and atomics before they execute.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Inserts a call of kCheckFunction (checked_calls.h) before each access to global and
// constant memory, and to local memory that an argument points to: the kind of access, its place in
// the source, the pointer and the bytes. Accesses of builtins that are inlined have the place of
// the call. Where the pointer is a kernel argument's, the bounds are compared in the kernel
// (access_groups.h). An access that others of the same pointer dominate is not checked again. Left
// out are functions that are not inlined and have no work-item parameters. The checks of variables
// and indices, which InsertObjectChecksPass and LowerIndexChecksPass have inserted, become
// comparisons, too. Runs right before the checks are lowered, when the kernel argument of a pointer
// is known.
//
//   %a = load i32, ptr %p           call void __heddle_check(i32 LOAD, ptr PLACE, ptr %p, i64 4)
//                                   %a = load i32, ptr %p
class CheckAccessesPass : public llvm::PassInfoMixin<CheckAccessesPass> {
 public:
  explicit CheckAccessesPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
