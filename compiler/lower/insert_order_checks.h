// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=race and divergence: tells the runtime what each work-item accesses, and which calls
// it makes that the whole group must make. Both run before anything optimizes: what a work-item
// does in the source is what is judged. Kernels with these checks are scalar and run on fibers.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// In the program's own functions: inserts a call of kCheckFunction (checked_calls.h) before
// each access to local, global or generic memory (behind a compare-and-exchange, whose success
// decides whether it wrote), and before each barrier, work-group function, async copy and
// wait_group_events. Runs before builtins are linked, while their calls have known names.
//
//   %a = load i32, ptr addrspace(1) %p   call void __heddle_check(i32 LOAD, ptr PLACE, ptr %p, i64
//   4)
//                                        %a = load i32, ptr addrspace(1) %p
class InsertOrderChecksPass : public llvm::PassInfoMixin<InsertOrderChecksPass> {
 public:
  explicit InsertOrderChecksPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// The same for accesses of the library's functions to memory that the program passes: vload,
// vstore, atomics, and functions with pointers to results. Their place is that of the call, which
// is known when they are inlined. Runs after builtins are linked.
class InsertBuiltinRaceChecksPass : public llvm::PassInfoMixin<InsertBuiltinRaceChecksPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
