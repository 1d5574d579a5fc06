// Whether neighbouring work-groups may be run as one.
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Groups that follow each other in x are one long row if the kernel cannot tell them apart: it uses
// nothing of x but the global id, no local memory, no barrier, nothing of sub-groups, and nothing
// by which groups could wait for one another (atomics, pipes). Sub-groups are then full whatever
// the groups' size. Wants the simplified body.
GroupCoalescing choose_group_coalescing(const Kernel& kernel);

} // namespace heddle::compiler
