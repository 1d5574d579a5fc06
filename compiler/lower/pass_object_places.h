// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: functions of the program that are not inlined take beside each pointer the
// variable that it points into and the offset in it, and return them beside a pointer, so that
// accesses to variables of their callers are checked (object_places.h).
//
//   define i32 @f(ptr %p, ptr %group, ...)
//   define i32 @f(ptr "heddle.object_place"="1" %p, ptr %p.object, i64 %p.offset, ptr %group, ...)
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Runs when calls are inlined.
class PassObjectPlacesPass : public llvm::PassInfoMixin<PassObjectPlacesPass> {
 public:
  explicit PassObjectPlacesPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
