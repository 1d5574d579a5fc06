// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the hidden parameters that identify a work-item.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Adds the hidden parameters (ir/work_item_params.h) to every kernel body and to every function
// that uses, directly or through calls, a work-item function, a barrier, printf, a __local variable
// or one at program scope. Constant expressions of such variables become instructions.
//
//   define void @k.body(ptr %a)    define void @k.body(ptr %a, ptr %group, i64 %local_x, ...)
class AddWorkItemParamsPass : public llvm::PassInfoMixin<AddWorkItemParamsPass> {
 public:
  explicit AddWorkItemParamsPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

} // namespace heddle::compiler
