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
  // The iterations of these loops depend on each other by nothing but counters, and call nothing,
  // so that LLVM's loop vectorizer may execute several of a work-item at once. Not if they only
  // store: lanes fill rows as fast (NPB MG's zran3, rows of 272 bytes: 47 us, scalar code 76).
  bool are_independent = false;
  // What these loops access in memory is consecutive from iteration to iteration, and they load
  // nothing that earlier iterations may have stored.
  bool are_consecutive = false;
  // Not 0: most of it is consecutive from lane to lane, but in other cache lines in each iteration,
  // as a[n * j + x] in a loop over j, with elements of so many bytes. Wide sub-groups use more of
  // each row of memory while they are there.
  unsigned column_bytes = 0;
  // These loops.
  llvm::SmallVector<const llvm::Loop*, 8> loops;
};

LaneWalks find_lane_walks(llvm::Function& kernel, const llvm::LoopInfo& loops);

} // namespace heddle::compiler
