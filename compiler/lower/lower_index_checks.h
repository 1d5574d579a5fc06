// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: checks the indices of arrays and vectors, also of arrays within structures.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Makes calls (checked_objects.h) of the branches to Clang's handler of -fsanitize=array-bounds,
// which the front end inserts, so that indices are checked as offsets in variables are; without
// HEDDLE_CHECK=memory, as for a program binary that was built with it, nothing of them. Left out
// are indices that select an element of a variable as a whole, or are added to its address, as the
// access is checked, and the one behind the last element if no element is accessed. Runs before
// everything else.
//
//   %ok = icmp ult i64 %i, 4                 call void @heddle.check_object(i32 INDEX, ptr PLACE,
//   br i1 %ok, label %next, label %handler                       ptr OBJECT, i64 %i, i64 1)
class LowerIndexChecksPass : public llvm::PassInfoMixin<LowerIndexChecksPass> {
 public:
  explicit LowerIndexChecksPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

inline constexpr llvm::StringLiteral kIndexHandler = "__ubsan_handle_out_of_bounds";

} // namespace heddle::compiler
