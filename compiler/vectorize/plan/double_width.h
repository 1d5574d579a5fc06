// Whether sub-groups are made twice as wide as registers.
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/ir/target_info.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/plan/choose_width.h"

namespace heddle::compiler {

// Two registers for each value let the CPU work on one while it waits for the other, and share what
// is done once a sub-group. Says yes if the registers hold all values that are alive at once, and
// groups are not likely to be narrower than the sub-group, or run as one long row (merge_groups.h)
// in which loops wait for their own results. `now` is known of the prepared kernel at `width`.
bool should_double_width(const Kernel& kernel, const Analyses& now, const TargetInfo& target,
                         unsigned width);

} // namespace heddle::compiler
