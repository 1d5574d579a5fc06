// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initialization of static objects in functions, once, by one of the work-items that get there.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks the variables that are guards, for the metadata of the program.
inline constexpr llvm::StringLiteral kStaticGuardAttribute = "heddle-static-guard";

// Replaces __cxa_guard_acquire and __cxa_guard_release of Clang's guarded initializations. The
// work-item that sets the guard's second byte first runs the initializer and sets the first byte;
// others wait for that. As lanes of a sub-group that leave a loop wait for those that stay in it,
// the initializer becomes a part of the loop that waits. Whether there were any.
bool lower_static_guards(llvm::Module& module);

class LowerStaticGuardsPass : public llvm::PassInfoMixin<LowerStaticGuardsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
