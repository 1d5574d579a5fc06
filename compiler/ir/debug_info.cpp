// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/debug_info.h"

#include "llvm/IR/DIBuilder.h"

namespace heddle::compiler {

void attach_subprogram(llvm::Function& function, const llvm::Function& kernel) {
  const auto* original = kernel.getSubprogram();
  if (original == nullptr)
    return;
  llvm::DIBuilder builder(*function.getParent(), false, original->getUnit());
  auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  auto* subprogram = builder.createFunction(
      original->getFile(), original->getName(), function.getName(), original->getFile(),
      original->getLine(), type, original->getScopeLine(), llvm::DINode::FlagArtificial,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagLocalToUnit |
          llvm::DISubprogram::SPFlagOptimized);
  builder.finalizeSubprogram(subprogram);
  function.setSubprogram(subprogram);
}

llvm::DILocation* attach_inlined_subprogram(llvm::Function& function,
                                            const llvm::Function& kernel) {
  attach_subprogram(function, kernel);
  auto* subprogram = function.getSubprogram();
  return subprogram == nullptr ? nullptr
                               : llvm::DILocation::getDistinct(
                                     function.getContext(), subprogram->getLine(), 0, subprogram);
}

} // namespace heddle::compiler
