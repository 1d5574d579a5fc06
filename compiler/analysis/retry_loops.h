// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class DominatorTree;
class Loop;
class Value;
} // namespace llvm

namespace heddle::compiler {

// Whether each iteration ends by reading back what it has stored, and none follows one that has
// read just that: the loop repeats only if another work-item has stored there in between, as two
// that count in the same place do. `is_same_address` compares addresses of the loop.
bool reads_back_what_it_stores(
    const llvm::Loop& loop, const llvm::DominatorTree& dominators,
    llvm::function_ref<bool(const llvm::Value&, const llvm::Value&)> is_same_address);

} // namespace heddle::compiler
