// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of one vector variant of a kernel.
#pragma once

#include "compiler/target/target_info.h"

#include <array>
#include <cstdint>

namespace heddle::compiler {

// How the lanes of a sub-group are mapped to the work-items of a group.
enum class LaneMapping : std::uint8_t {
  row,    // lane i is local id (x + i, y, z)
  linear, // lane i is linear local id first + i: lanes may cross rows
};

// How accesses of memory are emitted, by what the CPU has and the kernel does.
struct AccessForms {
  // The CPU has fast gathers of elements of 32 and 64 bits.
  bool has_gathers = false;
  // It has masked loads and stores of such elements.
  bool has_masked_accesses = false;
  LanePermutes permutes;
  // A store for each lane is faster than a scatter where addresses are known to be strided.
  bool has_slow_scatters = false;
  // Three adjacent words of each lane are best loaded at once where lanes' addresses are not
  // consecutive, as three bytes always are.
  bool loads_three_words = false;
  bool loads_three(unsigned bits) const { return bits == 8 || (bits == 32 && loads_three_words); }
  // Local memory may be kept in registers (compiler/local_memory): gathers of it become shuffles.
  bool gathers_local_memory = false;
  // Lanes in each iteration of loops over updates of memory; 0: wide sub-groups alone have loops.
  unsigned updates_per_iteration = 0;
};

struct VectorPlan : AccessForms {
  unsigned width = 16; // lanes, a power of two
  LaneMapping mapping = LaneMapping::row;
  bool masked = false; // the last parameter is the number of active lanes; else all are active
  // Correct in every group, also if ids wrap around in it (LaneShapes::id_bases).
  bool exact_ids = false;
  // Not zeros: launches have small ids (Specialization::has_small_ids) and groups of this size, for
  // which fewer checks of ids are needed.
  std::array<std::uint64_t, 3> groups_of_small_ids{};
  // Number of interleaved sub-groups, with consecutive y and the same x: what does not depend on y
  // is executed once for all of them.
  unsigned rows = 1;
};

} // namespace heddle::compiler
