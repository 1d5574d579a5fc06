// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one work-group of a kernel that is split at its barriers.
#pragma once

#include "compiler/workgroup/group_partition.h"

namespace heddle::compiler {

// Emits, at the insertion point of the builder:
//   region = 0
//   do { for all sub-groups: region = run(region) } while (region != 0)
// Each region gets loops of its own, in which its number is a constant, unless that would be too
// much code (BarrierRegions::has_separate_loops). A region with a unique successor branches to it.
//
// Programs in which sub-groups reach different barriers, or some end while others wait, are
// undefined (OpenCL C 6.15.8); here each sub-group continues with its own region. In a convergent
// kernel this cannot happen: the successor is not compared, and a uniform region runs for the first
// sub-group of each variant only.
void emit_region_loops(llvm::IRBuilder<>& builder, const Kernel& kernel, const GroupValues& values);

} // namespace heddle::compiler
