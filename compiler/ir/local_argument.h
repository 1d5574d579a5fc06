// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks pointers to the memory of kernel arguments in local memory.
#pragma once

#include "llvm/IR/Instructions.h"

namespace heddle::compiler {

// The memory of each argument, and that of the local variables at the beginning of a group's local
// memory, is apart from the others': addresses computed from different marked pointers are never
// the same.
void mark_local_argument(llvm::GetElementPtrInst& pointer);
bool is_local_argument(const llvm::GetElementPtrInst& pointer);

} // namespace heddle::compiler
