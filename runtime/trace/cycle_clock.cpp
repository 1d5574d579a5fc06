// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/cycle_clock.h"

#include "runtime/core/clock.h"
#include "runtime/target/instructions.h"

#include <algorithm>

namespace heddle::trace {

// The system may interrupt one of them.
ClockPoint read_both_clocks() noexcept {
  constexpr int kTries = 3;
  ClockPoint best;
  auto least = ~std::uint64_t{0};
  for (int i = 0; i < kTries; ++i) {
    const auto before = cycle_count();
    const auto nanoseconds = monotonic_nanoseconds();
    const auto between = cycle_count() - before;
    if (between < least) {
      least = between;
      best = {before + between / 2, nanoseconds};
    }
  }
  return best;
}

CycleClock::CycleClock(std::vector<ClockPoint> points) : points_(std::move(points)) {
  std::ranges::sort(points_, {}, &ClockPoint::cycles);
  const auto is_same = [](const ClockPoint& a, const ClockPoint& b) {
    return a.cycles == b.cycles;
  };
  points_.erase(std::unique(points_.begin(), points_.end(), is_same), points_.end());
}

std::uint64_t CycleClock::nanoseconds(std::uint64_t cycles) const noexcept {
  if (points_.size() < 2)
    return points_.front().nanoseconds;
  // Before the first point and behind the last one the nearest line goes on.
  const auto next = std::ranges::upper_bound(points_.begin() + 1, points_.end() - 1, cycles, {},
                                             &ClockPoint::cycles);
  const auto& from = *(next - 1);
  const auto slope = static_cast<double>(next->nanoseconds - from.nanoseconds) /
                     static_cast<double>(next->cycles - from.cycles);
  const auto distance = static_cast<double>(static_cast<std::int64_t>(cycles - from.cycles));
  return from.nanoseconds + static_cast<std::uint64_t>(static_cast<std::int64_t>(distance * slope));
}

} // namespace heddle::trace
