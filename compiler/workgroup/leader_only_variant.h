// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variant for groups in which the first sub-group does all work.
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Adds the variant `leader`, and its condition, to a kernel that is about to be split at its
// barriers, if in a group of one row of whole sub-groups all but the first have no observable
// effect: all work is done by one work-item for its group (async copies) or redistributed to the
// first sub-group (vectorize/transform/redistribute_group_loops.h). The variant has no barriers,
// as there is nobody to wait for, and its local ids are zero. It is not inlined: it would take
// registers from the code around a call of it.
void make_leader_only_variant(Kernel& kernel);

} // namespace heddle::compiler
