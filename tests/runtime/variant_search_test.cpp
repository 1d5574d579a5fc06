// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which variants are tried, and its text.
#include "runtime/program/variant_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heddle {
namespace {

constexpr VariantBounds kAll{.least_lanes = 1, .most_lanes = 64, .most_rows = 8};

// The shapes that are tried if the time of each is cost(shape).
template <class Cost>
std::vector<VariantShape> run(VariantSearch& search, Cost cost) {
  std::vector<VariantShape> tried;
  while (const auto shape = search.next()) {
    tried.push_back(*shape);
    search.tried(*shape, cost(*shape) < cost(search.best()));
  }
  return tried;
}

TEST(VariantSearch, GoesOnWhereItGetsBetter) {
  VariantSearch search({8, 1}, kAll);
  const auto tried = run(search, [](const VariantShape& shape) {
    return 1000.0 / shape.lanes + (shape.rows == 2 ? 0 : 100);
  });
  EXPECT_EQ(search.best(), (VariantShape{64, 2}));
  EXPECT_EQ(tried, (std::vector<VariantShape>{
                       {16, 1}, {32, 1}, {64, 1}, {64, 2}, {32, 2}, {64, 4}, {32, 4}, {16, 2}}));
}

TEST(VariantSearch, GoesDownToScalarCodeAndUpFromIt) {
  const auto prefers = [](std::uint32_t lanes) {
    return [lanes](const VariantShape& shape) {
      return shape.lanes > lanes ? shape.lanes / lanes : lanes / shape.lanes;
    };
  };
  VariantSearch down({16, 1}, kAll);
  run(down, prefers(1));
  EXPECT_EQ(down.best().lanes, 1U);
  VariantSearch up({1, 1}, kAll);
  run(up, prefers(4));
  EXPECT_EQ(up.best().lanes, 4U);
}

TEST(VariantSearch, LooksBehindAWorseNeighbor) {
  VariantSearch search({16, 1}, kAll);
  run(search, [](const VariantShape& shape) {
    return shape.lanes == 64 ? 1 : shape.lanes == 16 ? 2 : 3;
  });
  EXPECT_EQ(search.best().lanes, 64U);
}

TEST(VariantSearch, ExchangesRowsForLanes) {
  const auto prefers = [](const VariantShape& best) {
    return [=](const VariantShape& shape) {
      const auto registers = shape.lanes * shape.rows, most = best.lanes * best.rows;
      return shape == best ? 1 : registers == most ? 2 : 3;
    };
  };
  for (const VariantShape best : {VariantShape{32, 2}, VariantShape{8, 8}}) {
    VariantSearch search({16, 4}, kAll);
    run(search, prefers(best));
    EXPECT_EQ(search.best(), best);
  }
  VariantSearch search({16, 4}, kAll); // although more lanes with as many rows are not slower
  run(search, [](const VariantShape& shape) {
    return shape == VariantShape{32, 2} ? 1.0 : 10 - shape.lanes / 100.0;
  });
  EXPECT_EQ(search.best(), (VariantShape{32, 2}));
}

TEST(VariantSearch, TriesTheSecondDimension) {
  auto bounds = kAll;
  bounds.most_swapped_rows = 2;
  VariantSearch search({16, 4}, bounds);
  run(search, [](const VariantShape& shape) {
    return (shape.is_swapped ? 1 : 10) * (shape.rows == 2 ? 1 : 2) * (shape.lanes == 16 ? 1 : 2);
  });
  EXPECT_EQ(search.best(), (VariantShape{16, 2, true}));
  EXPECT_EQ(VariantSearch::from_text(search.text(), bounds)->best(), search.best());
}

TEST(VariantSearch, KeepsToItsBounds) {
  const VariantBounds bounds{.least_lanes = 4, .most_lanes = 16, .most_rows = 2};
  VariantSearch search({8, 2}, bounds);
  for (const auto& shape : run(search, [](const VariantShape&) { return 1; })) {
    EXPECT_GE(shape.lanes, 4U);
    EXPECT_LE(shape.lanes, 16U);
    EXPECT_LE(shape.rows, 2U);
  }
  EXPECT_EQ(search.best(), (VariantShape{8, 2}));
}

TEST(VariantSearch, OfAllShapes) {
  auto bounds = kAll;
  bounds.is_exhaustive = true;
  VariantSearch search({16, 1}, bounds);
  const auto tried = run(search, [](const VariantShape&) { return 1; });
  EXPECT_EQ(tried.size(), 5U * 4 - 1 + 1); // 4 to 64 lanes with 1 to 8 rows, and scalar code
  EXPECT_EQ(tried.end(), std::ranges::find(tried, VariantShape{16, 1}));
}

TEST(VariantSearch, LongCodeIsTriedFirstAndKept) {
  auto bounds = kAll;
  bounds.may_have_long_code = true;
  VariantSearch search({16, 1}, bounds);
  const VariantShape longer{16, 1, false, true};
  ASSERT_EQ(search.next(), longer);
  search.tried(longer, true);
  EXPECT_EQ(search.text(), "16x1 16x1l");
  const auto same = VariantSearch::from_text(search.text(), bounds);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->best(), longer);
  ASSERT_TRUE(search.next());
  for (auto shape = search.next(); shape; shape = search.next()) {
    EXPECT_EQ(shape->has_long_code, !shape->is_swapped) << shape->lanes << "x" << shape->rows;
    search.tried(*shape, false);
  }
}

TEST(VariantSearch, ContinuesFromItsText) {
  VariantSearch search({16, 1}, kAll);
  search.tried({32, 1}, true);
  search.tried({64, 1}, false);
  EXPECT_EQ(search.text(), "16x1 32x1 64x1");
  const auto same = VariantSearch::from_text(search.text(), kAll);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->first(), search.first());
  EXPECT_EQ(same->best(), search.best());
  EXPECT_EQ(same->next(), search.next());
  EXPECT_EQ(same->text(), search.text());
}

TEST(VariantSearch, RejectsOtherText) {
  for (const char* text :
       {"", "16x1", "16x1 ", "16 32", "16x1 32", "16x1 x1", "16x1 32x1x", "ab 3x1", "16x1 3x1",
        "16x1 0x1", "16x0 16x1", "16x1 16x1ss", "16x1 16x1ls", "16x1 16s", "16x1  32x1"})
    EXPECT_FALSE(VariantSearch::from_text(text, kAll)) << text;
}

} // namespace
} // namespace heddle
