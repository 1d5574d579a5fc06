// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What failed assertions call: __devicelib_assert_fail of cl_intel_devicelib_assert, and
// __assert_fail of C's <assert.h>.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Declarations of the program's with these names; it may define them itself.
bool is_assertion_function(llvm::StringRef name);

// Whether all declarations of these functions have the parameters that they must have; if not, that
// is an error of the build. Strings may be in any address space, numbers of any width.
bool check_assertions(const llvm::Module& module, Build& build);

// After check_assertions(). A function of the program's asks for the work-item's ids itself.
//
//   call @__assert_fail(%text, %file, i32 7, %function)
//   call @__heddle_end_kernel(@format, %file, i32 7, %function, %global_x, .., %local_z, %text)
class LowerAssertionsPass : public llvm::PassInfoMixin<LowerAssertionsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
