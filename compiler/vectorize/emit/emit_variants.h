// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the variants of kernels.
#pragma once

#include "compiler/ir/kernel_pass.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace heddle::compiler {

// Emits those variants of a kernel that are made from its body as it is at `stage` (kVariantSpecs),
// or, at the last stage, the scalar variant of a kernel that stays scalar and is split at barriers.
// Without a stage all variants are emitted from the body as it is: for pipelines of heddle-opt that
// do not transform it. Vector code that turns out to be too long is added to compilation.excess.
// Runs on the bodies of kernels; adds functions to their module.
//
//   define void @k.body(...)                     define void @k.whole(...)      all lanes active
//                                                define void @k.tail(...)      the first N lanes
//                                                define void @k.block(...)     several rows
//                                                define void @k.crossing(...)  lanes across rows
class EmitVariantsPass : public KernelPass<EmitVariantsPass> {
 public:
  static constexpr bool kNeedsPlan = true;

  explicit EmitVariantsPass(Compilation& compilation, std::optional<BodyStage> stage = std::nullopt)
      : KernelPass(compilation), stage_(stage) {}
  llvm::PreservedAnalyses run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& analyses);

 private:
  void emit(Kernel& kernel, const VariantSpec& spec);

  const std::optional<BodyStage> stage_;
};

} // namespace heddle::compiler
