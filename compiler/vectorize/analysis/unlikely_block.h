// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that are hardly ever executed.
#pragma once

#include "llvm/IR/BasicBlock.h"

namespace heddle::compiler {

// Whether the branch weights of the only predecessor, as from __builtin_expect, say so. The
// vectorizer branches around such blocks if no lane executes them.
bool is_unlikely(const llvm::BasicBlock& block);

} // namespace heddle::compiler
