// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/avoid_gathers.h"

#include "compiler/ir/vectorized_attribute.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/SubtargetFeature.h"

namespace heddle::compiler {

llvm::PreservedAnalyses AvoidGathersPass::run(llvm::Module& module,
                                              llvm::ModuleAnalysisManager& /*analyses*/) {
  llvm::SubtargetFeatures features(target_.getTargetFeatureString());
  features.AddFeature("prefer-no-gather");
  features.AddFeature("prefer-no-scatter");
  bool changed = false;
  for (auto& function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(kVectorizedAttribute)) {
      function.addFnAttr("target-features", features.getString());
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace heddle::compiler
