// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compute units that run no groups, because builds of which launches have more use run on their
// processors.
#pragma once

#include <atomic>

namespace heddle::reserved_units {

inline std::atomic<unsigned> builds{0};

inline void add() noexcept { builds.fetch_add(1, std::memory_order_relaxed); }
inline void remove() noexcept { builds.fetch_sub(1, std::memory_order_relaxed); }
// How many of so many compute units run groups: all but one at most, because builds take as many
// threads only while the program waits for them.
inline unsigned rest(unsigned units) noexcept {
  return units > 1 && builds.load(std::memory_order_relaxed) != 0 ? units - 1 : units;
}

} // namespace heddle::reserved_units
