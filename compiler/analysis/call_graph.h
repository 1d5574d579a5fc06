// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are reachable by direct calls.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// `root`, first, and every defined function that it calls directly or indirectly.
llvm::SmallSetVector<llvm::Function*, 16> reachable_functions(llvm::Function& root);

} // namespace heddle::compiler
