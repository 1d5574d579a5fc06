// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masked loads that the CPU has no instruction for.
#pragma once

#include "compiler/target/target_info.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Loads all lanes where a lane is active and all are in one page: what is accessible to one is to
// all of them. Otherwise LLVM's code remains, a branch and a load for each lane. CPUs without
// AVX-512 have no masked loads of elements of 8 and 16 bits, those without AVX2 none at all. Runs
// late, when masks that are constants are.
class ExpandMaskedLoadsPass : public llvm::PassInfoMixin<ExpandMaskedLoadsPass> {
 public:
  explicit ExpandMaskedLoadsPass(const TargetInfo& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

 private:
  const TargetInfo& target_;
};

} // namespace heddle::compiler
