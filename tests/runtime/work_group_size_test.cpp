// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/work_group_size.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle {
namespace {

NDRange range_of(std::size_t x, std::size_t y = 1, std::size_t z = 1) {
  NDRange range;
  range.work_dim = 3;
  range.global_size[0] = x;
  range.global_size[1] = y;
  range.global_size[2] = z;
  return range;
}

std::size_t items(const NDRange& range) {
  return range.local_size[0] * range.local_size[1] * range.local_size[2];
}

TEST(WorkGroupSize, DividesTheRangeAndKeepsTheLimit) {
  for (const std::size_t most : {1u, 7u, 64u, 4096u})
    for (const std::size_t x : {1u, 3u, 64u, 97u, 1000u, 4096u, 1000003u})
      for (const std::size_t y : {1u, 17u, 480u})
        for (const bool barrier : {false, true}) {
          auto range = range_of(x, y, 5);
          choose_local_size(range, most, 8, barrier, false);
          EXPECT_LE(items(range), most);
          for (int d = 0; d < 3; ++d) {
            ASSERT_GE(range.local_size[d], 1u);
            EXPECT_EQ(range.global_size[d] % range.local_size[d], 0u) << x << " " << y;
          }
        }
}

TEST(WorkGroupSize, GivesEveryUnitWork) {
  auto range = range_of(4096);
  choose_local_size(range, 4096, 16, false, false);
  EXPECT_GE(4096 / range.local_size[0], 16u);
}

TEST(WorkGroupSize, LeavesARestForPrimesWhereThatIsAllowed) {
  auto range = range_of(1000003);
  choose_local_size(range, 4096, 4, false, false);
  EXPECT_EQ(range.local_size[0], 1u);
  choose_local_size(range, 4096, 4, false, true);
  EXPECT_GE(range.local_size[0], 64u);
}

// Cached results are used only for the same arguments.
TEST(WorkGroupSize, RemembersNothingWrong) {
  for (int round = 0; round < 2; ++round)
    for (std::size_t size = 2000; size < 2100; ++size) {
      auto range = range_of(size);
      choose_local_size(range, 1000, 1, false, false);
      std::size_t best = 1;
      for (std::size_t candidate = 1; candidate <= std::min<std::size_t>(1000, size / 4);
           ++candidate)
        if (size % candidate == 0)
          best = candidate;
      EXPECT_EQ(range.local_size[0], best) << size;
    }
}

TEST(WorkGroupSize, TakesAnEmptyRange) {
  auto range = range_of(0, 10);
  choose_local_size(range, 4096, 4, false, false);
  EXPECT_GE(items(range), 1u);
}

} // namespace
} // namespace heddle
