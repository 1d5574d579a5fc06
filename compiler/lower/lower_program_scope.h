// Program-scope variables in the block that belongs to the cl_program.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/ir/kernel.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

class Build;

// Marks the variables that live in the block.
inline constexpr const char* kProgramScopeAttribute = "heddle-program-scope";

// Moves every variable in the global address space (OpenCL C 6.7.1, program scope), and every
// constant that points to one or is pointed to by one, to offsets in abi::Launch::program_scope;
// writes the block's initial image and relocations to the metadata, and the places to that of the
// kernels. Needs add_work_item_params.
class LowerProgramScopePass : public llvm::PassInfoMixin<LowerProgramScopePass> {
 public:
  explicit LowerProgramScopePass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Marks the variables that lower_program_scope moves; to be called before add_work_item_params,
// which must see their users.
class CollectProgramScopePass : public llvm::PassInfoMixin<CollectProgramScopePass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
