// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the lanes of a sub-group walk through memory in the innermost loops of a kernel.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace heddle::compiler {

struct LaneWalks {
  // Most of what the innermost loops access is far apart from lane to lane, but close from
  // iteration to iteration, as a[n * x + j] in a loop over j. Each lane then has a cache line of
  // its own, which the next iterations need again: narrow sub-groups have few enough of them. Or
  // they, or a kernel without loops, mostly store so far apart: a line for each lane in any case.
  // False if the loops compute much that is the same for all lanes, which narrow ones repeat.
  bool are_along_rows = false;
  // The rows are the same for all y, and of elements that CPUs gather: interleaved rows load them
  // once.
  bool are_shared = false;
  // Not 0: most of it is consecutive from lane to lane, but in other cache lines in each iteration,
  // as a[n * j + x] in a loop over j, with elements of so many bytes. Wide sub-groups use more of
  // each row of memory while they are there.
  unsigned column_bytes = 0;
  // These loops.
  llvm::SmallVector<const llvm::Loop*, 8> loops;
};

LaneWalks find_lane_walks(llvm::Function& kernel, const llvm::LoopInfo& loops);

} // namespace heddle::compiler
