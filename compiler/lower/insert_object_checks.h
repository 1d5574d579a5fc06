// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: checks accesses to the program's variables.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Inserts a call (checked_objects.h) before each access of a kernel's body to one of the program's
// local, private, program-scope and constant variables, with the offset in it, unless that is known
// to be inside; in functions that are not inlined, before accesses to private variables, and to
// those that callers pass (pass_object_places.h). Removes checks of indices that are known to be
// right. Runs when calls are inlined, and before loops are unrolled and variables become registers:
// optimizations take accesses not to be out of bounds. CheckAccessesPass does the rest. A function
// that has been visited is left as it is.
//
//   %p = getelementptr i32, ptr %a, i64 %i     %offset = mul i64 %i, 4
//   store i32 1, ptr %p                        call void @heddle.check_object(..., i64 %offset, i64
//   4)
//                                              store i32 1, ptr %p
class InsertObjectChecksPass : public llvm::PassInfoMixin<InsertObjectChecksPass> {
 public:
  explicit InsertObjectChecksPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
