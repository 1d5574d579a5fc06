// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: checks async copies and pipe operations before they execute
// (check_accesses.h: plain accesses).
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "compiler/lower/checked_calls.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Inserts a call of kCheckFunction before each call of an async copy or pipe function, with the
// number of the abi::CheckedCall, the place in the source and the operands. For functions that a
// sub-group or a work-group calls together, its first work-item checks. Runs before builtins are
// linked.
//
//   %e = call ptr async_work_group_copy(...)     call void __heddle_check(i32 COPY, ptr PLACE, ...)
//                                                %e = call ptr async_work_group_copy(...)
class InsertMemoryChecksPass : public llvm::PassInfoMixin<InsertMemoryChecksPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Calls of kCheckFunction become calls of abi::Worker::check with a record
// (interface/check_record.h), those of accesses for race checks calls of abi::RaceThread's
// functions (interface/race_access.h), and for divergence, the end of each kernel calls it. Runs
// after inlining, when the kernel argument of a pointer is known.
class LowerMemoryChecksPass : public llvm::PassInfoMixin<LowerMemoryChecksPass> {
 public:
  explicit LowerMemoryChecksPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
