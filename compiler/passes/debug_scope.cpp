#include "compiler/passes/debug_scope.h"

#include "llvm/IR/DIBuilder.h"

namespace heddle::compiler {

void describe_for_debugger(llvm::Function& function, const llvm::Function& kernel) {
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

llvm::DILocation* describe_as_inlined(llvm::Function& function, const llvm::Function& kernel) {
  describe_for_debugger(function, kernel);
  auto* subprogram = function.getSubprogram();
  return subprogram == nullptr ? nullptr
                               : llvm::DILocation::getDistinct(
                                     function.getContext(), subprogram->getLine(), 0, subprogram);
}

} // namespace heddle::compiler
