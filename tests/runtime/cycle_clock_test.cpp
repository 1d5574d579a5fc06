// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of cycles become the times of the system's clock.
#include "runtime/core/clock.h"
#include "runtime/target/instructions.h"
#include "runtime/trace/cycle_clock.h"

#include <gtest/gtest.h>

#include <thread>

namespace heddle::trace {
namespace {

TEST(CycleClock, StraightLinesBetweenPoints) {
  const CycleClock clock({{3000, 1500}, {1000, 1000}, {1000, 1000}, {2000, 1200}});
  EXPECT_EQ(clock.nanoseconds(1000), 1000u);
  EXPECT_EQ(clock.nanoseconds(1500), 1100u);
  EXPECT_EQ(clock.nanoseconds(2000), 1200u);
  EXPECT_EQ(clock.nanoseconds(2500), 1350u);
  EXPECT_EQ(clock.nanoseconds(500), 900u) << "before the first one";
  EXPECT_EQ(clock.nanoseconds(4000), 1800u) << "behind the last one";
  EXPECT_EQ(CycleClock({{7, 9}}).nanoseconds(100), 9u);
}

TEST(CycleClock, AgreesWithTheSystem) {
  const auto first = read_both_clocks();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::uint64_t before = 0, cycles = 0, after = 0;
  // The system may interrupt the three reads.
  for (int i = 0; i < 1000 && (i == 0 || after - before > 1000); ++i) {
    before = monotonic_nanoseconds();
    cycles = cycle_count();
    after = monotonic_nanoseconds();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const CycleClock clock({first, read_both_clocks()});
  constexpr std::uint64_t kError = 2000;
  EXPECT_GE(clock.nanoseconds(cycles) + kError, before);
  EXPECT_LE(clock.nanoseconds(cycles), after + kError);
}

} // namespace
} // namespace heddle::trace
