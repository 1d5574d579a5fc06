// Masked stores that store one known element.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// Masked stores whose mask is known to have one lane, as those of a sub-group's rest of one
// work-item, become stores of that element. LLVM 22 stores too much for them where the values are
// truncated ones: the element as it was before (llvm/llvm-project#179489). Comes last: masks become
// known on the way.
class ScalarizeMaskedStoresPass : public llvm::PassInfoMixin<ScalarizeMaskedStoresPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace heddle::compiler
