// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer division without unwanted traps.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// OpenCL C 6.4: division by zero, and of the least value by -1, gives an unspecified value and
// raises no exception. Divisors for which this cannot be excluded are replaced by 1 in those cases.
// HEDDLE_CHECK=division tells the runtime first, even if the optimizer removes the division.
//
//   %q = sdiv i32 %a, %b       %d = select i1 (%b == 0 || %a == MIN && %b == -1), i32 1, i32 %b
//                              %q = sdiv i32 %a, %d
class GuardDivisionPass : public llvm::PassInfoMixin<GuardDivisionPass> {
 public:
  explicit GuardDivisionPass(bool is_checked) : is_checked_(is_checked) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  bool is_checked_;
};

} // namespace heddle::compiler
