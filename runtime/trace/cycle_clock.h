// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times by the processor's cycle counter, which takes half as long to read as the system's clock.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::trace {

// The same moment by both.
struct ClockPoint {
  std::uint64_t cycles = 0;
  std::uint64_t nanoseconds = 0; // of CLOCK_MONOTONIC
};
ClockPoint read_both_clocks() noexcept;

// CLOCK_MONOTONIC at a count of cycles, on straight lines between points.
class CycleClock {
 public:
  explicit CycleClock(std::vector<ClockPoint> points); // at least one
  std::uint64_t nanoseconds(std::uint64_t cycles) const noexcept;

 private:
  std::vector<ClockPoint> points_; // in order, no two of the same count
};

} // namespace heddle::trace
