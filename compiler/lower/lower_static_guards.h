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
// the initializer becomes a part of the loop that waits.
//
//   init.check:                                  init.wait:
//     %1 = call i32 @__cxa_guard_acquire(@g)       ; guard's first byte set: init.end
//     br i1 (%1 != 0), %init, %init.end            cmpxchg @g, 0, 256 -> %init, else %init.wait
//   init:                                        init:
//     ; constructor                                ; constructor
//     call void @__cxa_guard_release(@g)           store atomic i64 1, @g release
//     br label %init.end                           br label %init.wait
class LowerStaticGuardsPass : public llvm::PassInfoMixin<LowerStaticGuardsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
