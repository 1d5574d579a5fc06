// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group barriers.
#pragma once

#include "compiler/ir/barrier.h"
#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Replaces barrier and work_group_barrier (OpenCL C 6.15.8) by calls of one convergent function
// that LLVM neither duplicates nor moves, and sets KernelMetadata::has_barrier. Runs after
// AddWorkItemParamsPass.
class MarkBarriersPass : public llvm::PassInfoMixin<MarkBarriersPass> {
 public:
  explicit MarkBarriersPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Removes restrict from the kernel's pointer arguments but those to constant data: it promises that
// one work-item accesses the memory only through the pointer, and after a barrier or a yield the
// work-item reads what others wrote.
void weaken_restrict(Kernel& kernel);

// Replaces the remaining barriers, and yields, by calls of the worker's functions. Every work-item
// or sub-group is a fiber of the same thread, so that no memory fence is needed.
class LowerBarriersPass : public llvm::PassInfoMixin<LowerBarriersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

bool is_barrier(llvm::StringRef mangled_name);

} // namespace heddle::compiler
