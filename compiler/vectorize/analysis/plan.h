// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of one vector variant of a kernel.
#pragma once

#include <cstdint>

namespace heddle::compiler {

// How the lanes of a sub-group are mapped to the work-items of a group.
enum class LaneMapping : std::uint8_t {
  row,    // lane i is local id (x + i, y, z)
  linear, // lane i is linear local id first + i: lanes may cross rows
};

struct VectorPlan {
  unsigned width = 16; // lanes, a power of two
  LaneMapping mapping = LaneMapping::row;
  bool masked = false; // the last parameter is the number of active lanes; else all are active
  // Correct in every group, also if ids wrap around in it (LaneShapes::id_bases).
  bool exact_ids = false;
  // Number of interleaved sub-groups, with consecutive y and the same x: what does not depend on y
  // is executed once for all of them.
  unsigned rows = 1;
  // The CPU has fast gathers of elements of 32 and 64 bits.
  bool has_gathers = false;
  bool loops_over_updates = false; // updates of memory take a loop over the lanes
};

} // namespace heddle::compiler
