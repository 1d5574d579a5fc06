// What the vectoriser is asked to make of a kernel.
#pragma once

#include <cstdint>

namespace heddle::compiler {

// How the lanes of a sub-group are laid over the work-group.
enum class LaneMapping : std::uint8_t {
  row,    // lane i is local id (x + i, y, z)
  linear, // lane i is linear local id first + i: rows may be crossed
};

struct VectorPlan {
  unsigned width = 16; // lanes, a power of two
  LaneMapping mapping = LaneMapping::row;
  bool masked = false; // takes the number of active lanes as a last parameter; else all are active
  // Right in every group, and not only where ids do not wrap around (LaneShapes::id_bases).
  bool exact_ids = false;
  // Sub-groups that run side by side, instruction by instruction: this many with consecutive y (and
  // the same x), so that what depends on x alone is done once for all.
  unsigned rows = 1;
  // The CPU has gathers worth the name, of elements of 32 and 64 bits.
  bool has_gathers = false;
};

} // namespace heddle::compiler
