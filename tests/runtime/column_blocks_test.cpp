// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which launches run their groups.
#include "compiler/interface/kernel_abi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace heddle {
namespace {

using GroupId = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>; // z, y, x

std::vector<GroupId>* run = nullptr;

void note_groups(const abi::Launch* /*launch*/, std::uint64_t first, std::uint64_t last,
                 abi::Worker* worker) {
  for (auto x = first; x < last; ++x)
    run->emplace_back(worker->current_group[2], worker->current_group[1], x);
}

// In ranges of `step` groups.
std::vector<GroupId> order_of(const abi::Launch& launch, std::uint64_t step) {
  std::vector<GroupId> order;
  run = &order;
  abi::Worker worker{};
  const auto groups = launch.group_count[0] * launch.group_count[1] * launch.group_count[2];
  for (std::uint64_t first = 0; first < groups; first += step)
    abi::run_groups(note_groups, launch, first, std::min(first + step, groups), worker);
  run = nullptr;
  return order;
}

abi::Launch launch_of(std::uint64_t x, std::uint64_t y, std::uint64_t z, bool reuses_columns) {
  abi::Launch launch{};
  const std::uint64_t count[] = {x, y, z};
  for (int d = 0; d < 3; ++d) {
    launch.local_size[d] = 2;
    launch.group_count[d] = count[d];
    launch.global_size[d] = count[d] * 2 - 1;
  }
  abi::set_columns(launch, reuses_columns);
  return launch;
}

TEST(ColumnBlocks, RunEachGroupOnceInAnyRanges) {
  for (const std::uint64_t x : {32, 33, 39, 40, 56})
    for (const std::uint64_t y : {4, 5})
      for (const std::uint64_t z : {1, 3}) {
        const auto launch = launch_of(x, y, z, true);
        ASSERT_EQ(launch.columns, abi::kColumnsOfBlock);
        const auto whole = order_of(launch, x * y * z);
        auto sorted = whole;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, order_of(launch_of(x, y, z, false), x * y * z));
        for (const std::uint64_t step : {1, 3, 8, 50})
          EXPECT_EQ(order_of(launch, step), whole) << x << " " << y << " " << z << " " << step;
      }
}

TEST(ColumnBlocks, RunAllRowsOfABlockBeforeTheNext) {
  const auto order = order_of(launch_of(36, 4, 2, true), 288);
  const auto before = [&](const GroupId& a, const GroupId& b) {
    return std::find(order.begin(), order.end(), a) < std::find(order.begin(), order.end(), b);
  };
  EXPECT_TRUE(before({0, 0, 7}, {0, 1, 0}));
  EXPECT_TRUE(before({0, 3, 7}, {0, 0, 8}));
  EXPECT_TRUE(before({0, 0, 35}, {0, 1, 32}));
  EXPECT_TRUE(before({0, 3, 35}, {1, 0, 0}));
}

TEST(ColumnBlocks, AreOfLaunchesWithManyColumnsAndRows) {
  EXPECT_EQ(launch_of(31, 100, 1, true).columns, 0);
  EXPECT_EQ(launch_of(100, 3, 1, true).columns, 0);
  EXPECT_EQ(launch_of(100, 100, 1, false).columns, 0);
}

TEST(ColumnBlocks, AreThoseOfSwappedDimensions) {
  const auto launch = launch_of(64, 8, 1, true);
  EXPECT_EQ(abi::with_swapped_dimensions(launch).columns, 0); // of 8 columns
  const auto square = abi::with_swapped_dimensions(launch_of(64, 32, 1, true));
  EXPECT_EQ(square.columns, abi::kColumnsOfBlock);
  EXPECT_EQ(square.group_count[0], 32);
}

} // namespace
} // namespace heddle
