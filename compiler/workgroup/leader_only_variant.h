// Groups of which the first sub-group does everything.
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Adds the variant `leader`, and its condition, to a kernel that is about to be split at its
// barriers, if the other sub-groups of a group of one row of whole sub-groups do nothing that can
// be observed: all work is done by one work-item for its group (async copies) or redistributed to
// the first sub-group (vectorize/transform/redistribute_group_loops.h). There is then nobody to
// meet at barriers, so the variant has none. It is not inlined: it would take registers from the
// loops over the other variants.
void make_leader_only_variant(Kernel& kernel);

} // namespace heddle::compiler
