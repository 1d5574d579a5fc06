// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds the code that barrier regions have in common.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Inserts barriers into a kernel's body where the control flow of several regions joins.
//
// Regions get copies of all blocks that they reach (emit_region_loops.h). After a condition or a
// loop with barriers go on the region of the last barrier in it and each one that was before it, so
// that in a sequence of these, blocks are reached by as many regions as there are barriers before
// them: code, and the values that are live in it, grow with the square of the barriers. A barrier
// at the join begins a region of its own for what follows. It is put only where all work-items pass
// equally often, and not into loops without barriers.
//
// Leaves kernels alone whose copies are few.
void divide_regions(llvm::Function& body);

} // namespace heddle::compiler
