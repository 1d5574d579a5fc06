// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Instruction.h"

namespace heddle::compiler {

class LaneShapes;

// Whether the vectorizer executes the load, store or update for one lane after the other: atomics,
// volatile accesses to private variables, and volatile ones to addresses without a stride, which
// are often to what has just been written: a gather has to wait for stores that a load need not.
//
// Other volatile accesses are executed for all lanes at once: each lane has its one access still,
// in the order of the program (MemoryEmitter).
bool is_scalarized_access(const llvm::Instruction& instruction, const LaneShapes& shapes);

// Whether the kernel has such accesses.
bool has_scalarized_access(const llvm::Function& kernel, const LaneShapes& shapes);

} // namespace heddle::compiler
