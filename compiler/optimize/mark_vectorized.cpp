// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/mark_vectorized.h"

#include "compiler/ir/vectorized_attribute.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

llvm::PreservedAnalyses MarkVectorizedPass::run(llvm::Module& /*module*/,
                                                llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& kernel : compilation_.kernels)
    if (kernel.metadata.vector_width != 1) {
      for (auto* function : {kernel.entry, kernel.fiber_entry})
        if (function != nullptr)
          function->addFnAttr(kVectorizedAttribute);
      for (const auto& variant : kernel.variants)
        variant.function->addFnAttr(kVectorizedAttribute);
    }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
