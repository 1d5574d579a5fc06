// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/rect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace heddle {
namespace {

// Every byte of the region, one by one.
std::vector<bool> touched(const RectLayout& layout, const RectRegion& region, std::size_t size) {
  std::vector<bool> bytes(size);
  for (std::size_t z = 0; z < region.depth; ++z)
    for (std::size_t y = 0; y < region.height; ++y)
      for (std::size_t x = 0; x < region.width; ++x)
        bytes[layout.begin + z * layout.slice_pitch + y * layout.row_pitch + x] = true;
  return bytes;
}

TEST(Rect, FindsOverlapAsCountingBytesDoes) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  int meeting = 0;
  int apart = 0;
  for (int i = 0; i < 20000; ++i) {
    const RectRegion region{1 + below(4), 1 + below(3), 1 + below(3)};
    const auto row = region.width + below(4);
    const auto slice = row * (region.height + below(3));
    const auto a = RectLayout::make({below(6), below(4), below(3)}, region, row, slice);
    const auto b = RectLayout::make({below(6), below(4), below(3)}, region, row, slice);
    ASSERT_TRUE(a && b);
    const auto size = std::max(a->end, b->end);
    std::vector<std::byte> memory(size);
    const auto in_a = touched(*a, region, size);
    const auto in_b = touched(*b, region, size);
    bool shared = false;
    for (std::size_t at = 0; at < size; ++at)
      shared |= in_a[at] && in_b[at];
    ASSERT_EQ(rects_overlap({memory.data(), *a, region}, {memory.data(), *b, region}), shared)
        << region.width << 'x' << region.height << 'x' << region.depth << " pitches " << row << ' '
        << slice << " at " << a->begin << " and " << b->begin;
    (shared ? meeting : apart)++;
  }
  EXPECT_GT(meeting, 1000);
  EXPECT_GT(apart, 1000);
}

TEST(Rect, RefusesWhatDoesNotFitIntoANumber) {
  const std::size_t huge = ~std::size_t{0};
  EXPECT_FALSE(RectLayout::make({huge, 0, 0}, {1, 1, 1}, 0, 0));
  EXPECT_FALSE(RectLayout::make({0, huge, 0}, {2, 1, 1}, 0, 0));
  EXPECT_FALSE(RectLayout::make({0, 0, huge}, {2, 1, 1}, 0, 0));
  EXPECT_FALSE(RectLayout::make({0, 0, 0}, {2, huge, 1}, 0, 0));
  EXPECT_FALSE(RectLayout::make({0, 0, 0}, {2, 2, huge}, 0, 0));
  EXPECT_FALSE(RectLayout::make({0, 0, 0}, {2, 2, 2}, huge, 0));
  EXPECT_FALSE(RectLayout::make({1, 0, 0}, {huge, 1, 1}, 0, 0));
}

} // namespace
} // namespace heddle
