// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Removes masks of local ids that clear no bit: `(ulong)(uint)(id + 16)` is `(id + 16) &
// 0xffffffff` or, where it is known that `id < 32`, `(id + 16) & 63`, which has no stride between
// lanes. No local id has more than 13 bits.
void simplify_local_ids(llvm::Function& kernel);

} // namespace heddle::compiler
