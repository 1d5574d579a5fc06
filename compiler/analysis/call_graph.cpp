// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/call_graph.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

llvm::SmallSetVector<llvm::Function*, 16> reachable_functions(llvm::Function& root) {
  llvm::SmallSetVector<llvm::Function*, 16> found;
  found.insert(&root);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (auto& instruction : llvm::instructions(*found[i]))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (auto* callee = call->getCalledFunction(); callee && !callee->isDeclaration())
          found.insert(callee);
  return found;
}

} // namespace heddle::compiler
