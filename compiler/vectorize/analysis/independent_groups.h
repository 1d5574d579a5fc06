// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Whether the work-items of a group have nothing in common that those of two groups have not, other
// than ids: no local memory, barriers, sub-group operations, or operations by which groups could
// wait for each other (atomics, pipes).
bool has_independent_groups(const Kernel& kernel);

} // namespace heddle::compiler
