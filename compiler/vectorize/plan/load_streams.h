// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many streams of memory a kernel without loops reads at once.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

// Whether the kernel, which has no loops, loads consecutive elements from more places, 4 KiB and
// more from each other, than the prefetchers of CPUs follow, and stores to few: sums of planes or
// of many arrays. The more lanes, the more of its neighboring lines each load asks for at once.
bool loads_many_streams(const llvm::Function& kernel, const LaneShapes& shapes);

} // namespace heddle::compiler
