// The static call graph.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// `root` and every defined function that it calls, directly or through others; root is first.
llvm::SmallSetVector<llvm::Function*, 16> reachable_functions(llvm::Function& root);

} // namespace heddle::compiler
