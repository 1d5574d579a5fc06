// Whether sub-groups are made twice as wide as registers.
#pragma once

#include "compiler/passes/kernel.h"
#include "compiler/vectorise/loop_analyses.h"
#include "compiler/vectorise/width.h"

namespace heddle::compiler {

// Two registers for each value let the CPU work on one while it waits for the other, and share what
// is done once a sub-group. Says yes if the registers hold all values that are alive at once, and
// groups are not likely to be narrower than the sub-group, or run as one long row (merge_groups.h)
// in which loops wait for their own results. `now` is known of the prepared kernel at `width`.
bool is_worth_doubling(const Kernel& kernel, const LoopAnalyses& now,
                       const llvm::TargetMachine& target, unsigned width);

} // namespace heddle::compiler
