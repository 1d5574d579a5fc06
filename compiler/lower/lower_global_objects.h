// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructors and destructors of objects at program scope.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Marks the two kernels; no kernels for the API.
inline constexpr llvm::StringLiteral kGlobalObjectsAttribute = "heddle-global-objects";

// Makes kernels of one work-item that the runtime runs (ProgramMetadata::has_initializer):
//
// - kInitializerKernel calls the functions of llvm.global_ctors in the order of their priority,
//   and in the order of the list among those of the same one.
// - kFinalizerKernel calls what was registered with atexit, the last one first, and then the
//   functions of llvm.global_dtors. Each call of atexit names a function and runs once: it
//   stores its number in a list at program scope, so that there are no pointers to functions.
//
// The lists of the module, and llvm.used, are removed: units of kernels need none.
//
//   call i32 @atexit(ptr @__dtor_object)         %place = atomicrmw add @heddle.destructor.count, 1
//                                                store i32 0, @heddle.destructor.order[%place]
class LowerGlobalObjectsPass : public llvm::PassInfoMixin<LowerGlobalObjectsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
