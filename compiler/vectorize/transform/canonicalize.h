// The form of a scalar kernel that the vectoriser starts from.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// One return; no switch, no unreachable block, no irreducible loop; loops with one preheader, one
// latch and exits of their own, whose results leave through phis (LCSSA); parameters passed by
// value are read only.
class CanonicalizePass : public llvm::PassInfoMixin<CanonicalizePass> {
 public:
  explicit CanonicalizePass(Compilation& compilation) : compilation_(compilation) {}
  llvm::PreservedAnalyses run(llvm::Function& body, llvm::FunctionAnalysisManager& analyses);

 private:
  Compilation& compilation_;
};

// Every work-item gets a parameter's copy of its own to write to.
void copy_written_parameters(llvm::Function& kernel);

} // namespace heddle::compiler
