// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of builds without which launches have begun.
#include "runtime/program/build_order.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heddle {
namespace {

constexpr double kMillisecond = 1e6;

BuildRef optimized(const char* kernel, std::uint64_t local_size = 16) {
  Specialization own;
  own.local_size = {local_size, 1, 1};
  return std::make_shared<UnitBuild>(nullptr, kernel, own);
}

BuildRef quick(const char* kernel) {
  return std::make_shared<UnitBuild>(nullptr, kernel, Specialization::plain(Effort::little));
}

bool has_none(const UnitBuild& /*build*/) { return false; }
bool has_all(const UnitBuild& /*build*/) { return true; }

std::vector<std::string> names(const std::vector<BuildRef>& builds) {
  std::vector<std::string> names;
  for (const auto& build : builds)
    names.push_back((build->specialization.is_plain() ? "quick " : "") + build->kernel);
  return names;
}

using Names = std::vector<std::string>;

TEST(BuildOrder, QuickUnitsOfWhatUsesAsMuchComeFirst) {
  const std::vector<WantedBuild> wanted = {{optimized("a"), 2 * kMillisecond},
                                           {optimized("b"), 3 * kMillisecond}};
  EXPECT_EQ(names(order_builds(wanted, true, has_none)), (Names{"quick b", "quick a", "b", "a"}));
}

TEST(BuildOrder, WhatUsesMuchMoreComesFirst) {
  const std::vector<WantedBuild> wanted = {{optimized("small"), kMillisecond},
                                           {optimized("large"), 400 * kMillisecond}};
  EXPECT_EQ(names(order_builds(wanted, true, has_none)),
            (Names{"quick large", "large", "quick small", "small"}));
}

// As in a process, whose scheduler compares the builds that wait.
TEST(BuildOrder, QuickUnitsOfWhatUsesLittleComeLater) {
  EXPECT_GT(gain({quick("a"), kMillisecond}), gain({optimized("b"), 4 * kMillisecond}));
  EXPECT_LT(gain({quick("a"), kMillisecond}), gain({optimized("b"), 6 * kMillisecond}));
  EXPECT_GT(gain({quick("a"), 0}), gain({optimized("b"), 0}));
  EXPECT_GT(gain({optimized("a"), kMillisecond}), gain({quick("b"), 0}));
}

TEST(BuildOrder, WhatBuildsFastComesBeforeWhatUsesAsMuch) {
  const std::vector<WantedBuild> wanted = {
      {optimized("slow"), 3 * kMillisecond, 200 * kMillisecond},
      {optimized("fast"), 2 * kMillisecond, 20 * kMillisecond},
      {optimized("much"), 60 * kMillisecond, 200 * kMillisecond}};
  EXPECT_EQ(names(order_builds(wanted, false, has_none)), (Names{"much", "fast", "slow"}));
}

TEST(BuildOrder, QuickUnitsThatAreThereAreNotBuiltAgain) {
  const std::vector<WantedBuild> wanted = {{optimized("a"), 2 * kMillisecond},
                                           {optimized("b"), 3 * kMillisecond}};
  EXPECT_EQ(names(order_builds(wanted, true, has_all)), (Names{"b", "a"}));
  EXPECT_EQ(names(order_builds(wanted, false, has_none)), (Names{"b", "a"}));
}

TEST(BuildOrder, EachQuickUnitIsBuiltOnce) {
  const std::vector<WantedBuild> wanted = {{optimized("a", 16), kMillisecond},
                                           {optimized("a", 32), 2 * kMillisecond},
                                           {quick("a"), kMillisecond}};
  const auto builds = order_builds(wanted, true, has_none);
  EXPECT_EQ(names(builds), (Names{"quick a", "a", "a"}));
  EXPECT_EQ(builds[1]->specialization.local_size[0], 32U);
}

TEST(BuildOrder, FormatsAreThoseOfTheQuickUnit) {
  auto own = Specialization();
  own.local_size = {16, 1, 1};
  own.know({1, 2});
  const std::vector<WantedBuild> wanted = {
      {std::make_shared<UnitBuild>(nullptr, "a", own), kMillisecond}};
  const auto builds = order_builds(wanted, true, has_none);
  ASSERT_EQ(builds.size(), 2U);
  EXPECT_EQ(builds[0]->specialization.argument_count, 1U);
  EXPECT_EQ(builds[0]->specialization.arguments, own.arguments);
}

} // namespace
} // namespace heddle
