// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/unchecked_functions.h"

#include "llvm/ADT/SmallVector.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kMetadata = "heddle.unchecked";

}

void add_unchecked_function(llvm::Module& module, llvm::DISubprogram& function,
                            llvm::StringRef checks) {
  auto& context = module.getContext();
  module.getOrInsertNamedMetadata(kMetadata)->addOperand(
      llvm::MDNode::get(context, {&function, llvm::MDString::get(context, checks)}));
}

llvm::StringRef unchecked_by(const llvm::Module& module, const llvm::DISubprogram* function) {
  if (const auto* list = module.getNamedMetadata(kMetadata); list != nullptr && function != nullptr)
    for (const auto* entry : list->operands())
      if (entry->getOperand(0) == function)
        return llvm::cast<llvm::MDString>(entry->getOperand(1))->getString();
  return "";
}

bool is_unchecked_by(const llvm::Module& module, const llvm::DISubprogram* function,
                     llvm::StringRef check) {
  llvm::SmallVector<llvm::StringRef, 4> checks;
  unchecked_by(module, function).split(checks, ',');
  return llvm::is_contained(checks, check);
}

} // namespace heddle::compiler
