// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the dimension that the lanes of a sub-group run along.
#pragma once

#include "compiler/ir/kernel.h"

namespace heddle::compiler {

// Whether the kernel, whose lanes run along the first dimension, had better be compiled with
// swapped dimensions (LaneDimension::second): its accesses are mostly consecutive from
// one second id to the next, as in a[n * x + y], and gathers along the first one. The body must be
// inlined and simplified.
bool prefers_second_dimension(const Kernel& kernel);

// Whether lanes along the second dimension would take so much longer that they need not be tried:
// the accesses are consecutive along the first one, and would be gathers. Likewise.
bool clearly_prefers_first_dimension(const Kernel& kernel);

} // namespace heddle::compiler
