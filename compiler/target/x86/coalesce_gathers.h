// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters whose lanes may access nearby addresses.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// For marked accesses of 32-bit elements, checks at run time whether sixteen lanes load from 32
// consecutive elements, or store to such in ascending order. If so, two vectors are loaded and
// permuted, or expanded and stored, in a few cycles instead of a few for each lane. Needs AVX-512.
class CoalesceGathersPass : public llvm::PassInfoMixin<CoalesceGathersPass> {
 public:
  // Of the functions that defer gathers, or of all others.
  CoalesceGathersPass(const TargetInfo& target, bool are_deferred)
      : target_(target), are_deferred_(are_deferred) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
  const bool are_deferred_;
};

} // namespace heddle::compiler
