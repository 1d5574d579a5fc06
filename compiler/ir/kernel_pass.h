// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that run on the bodies of kernels.
#pragma once

#include "compiler/ir/compilation.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// The base of such a pass, which has run_on_kernel(Kernel&, llvm::FunctionAnalysisManager&).
// Functions that are no kernel's body are left alone. A pass that declares `kNeedsPlan = true`
// fails if choose-width, which makes the plan, has not run before it.
template <typename Pass>
class KernelPass : public llvm::PassInfoMixin<Pass> {
 public:
  static constexpr bool kNeedsPlan = false;

  explicit KernelPass(Compilation& compilation) : compilation_(compilation) {}

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto* kernel = compilation_.find_kernel(function);
    if (kernel == nullptr)
      return llvm::PreservedAnalyses::all();
    if (Pass::kNeedsPlan && !kernel->plan) {
      compilation_.build.error(
          ("'" + function.getName() + "' has no vectorization plan: choose-width must run first")
              .str());
      return llvm::PreservedAnalyses::all();
    }
    return static_cast<Pass*>(this)->run_on_kernel(*kernel, analyses);
  }

 protected:
  Compilation& compilation_;
};

} // namespace heddle::compiler
