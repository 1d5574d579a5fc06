// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses whether neighboring work-groups execute as one.
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Consecutive groups in a dimension may execute as one long row if the kernel cannot distinguish
// them: it uses nothing of the dimension but the global id, and has independent groups
// (analysis/independent_groups.h). Sub-groups are then full whatever the size of groups. The body
// must be simplified.
GroupCoalescing choose_group_coalescing(const Kernel& kernel, unsigned dimension = 0);

} // namespace heddle::compiler
