// Region loops: the code between two barriers becomes a step, and a loop runs each step for all
// sub-groups of a work-group before the next one.
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Gives each barrier of the body a number, which its vector forms keep: that of the step behind it.
void number_barriers(Kernel& kernel);

// Makes of the kernel's vector forms functions that run one sub-group from one barrier to the
// next. They take four more parameters and return what the first of them is to be next time:
//   i32 step   0: from the kernel's start
//   ptr frame  what the sub-group keeps from step to step: metadata.frame_bytes, aligned to 64
//   ptr common, ptr common_next
//              what is the same for all sub-groups, of a kernel that is in step: what the last step
//              has left and what this one leaves, common_bytes each. They are two since each
//              sub-group finds the values from before the step.
// 0 comes back from the end of the kernel. Where control flow goes does not matter: a step ends at
// whatever barrier it comes to.
void form_barrier_regions(Kernel& kernel);

} // namespace heddle::compiler
