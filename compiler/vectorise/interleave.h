// Whether sub-groups are made twice as wide as registers.
#pragma once

#include "compiler/vectorise/shapes.h"
#include "compiler/vectorise/width.h"

namespace heddle::compiler {

// Two registers for each value let the CPU work on one while it waits for the other, and share what
// is done once a sub-group. Says yes if the registers hold all values that are alive at once, and
// groups are not likely to be narrower than the sub-group. `shapes` are those of the prepared
// kernel at `width`.
bool is_worth_doubling(const llvm::Function& kernel, const Shapes& shapes,
                       const llvm::TargetMachine& target, unsigned width);

} // namespace heddle::compiler
