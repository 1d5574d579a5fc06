// Groups of which the first sub-group does everything.
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Of a vector form of a kernel before it is split at its barriers. Exists if the other sub-groups
// do nothing that anyone could see: what is done is what one work-item does for its group (async
// copies), or is handed over (vectorize/transform/redistribute_group_loops.h).
LeaderOnlyVariant make_leader_only_variant(llvm::Function& form);

} // namespace heddle::compiler
