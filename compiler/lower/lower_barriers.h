// Work-group barriers.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Gathers barrier and work_group_barrier (OpenCL C 6.15.8) into calls of one function that
// optimisation neither copies nor moves, and sets KernelMetadata::has_barrier. Needs
// add_work_item_params.
class MarkBarriersPass : public llvm::PassInfoMixin<MarkBarriersPass> {
 public:
  explicit MarkBarriersPass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};
// Whether this is that one function, or a call of it.
bool is_barrier(const llvm::Function& function);
bool is_barrier(const llvm::Instruction& instruction);
// Turns its calls into calls of the worker's barrier function: every item (or sub-group) runs on a
// fiber of the same thread, so that a barrier orders memory by itself.
class LowerBarriersPass : public llvm::PassInfoMixin<LowerBarriersPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

bool is_barrier(llvm::StringRef mangled_name);

} // namespace heddle::compiler
