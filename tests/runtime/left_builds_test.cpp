// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which a helper does what an exiting process leaves.
#include "runtime/program/left_builds.h"

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

TEST(LeftBuilds, QuickUnitsOfWhatUsesAsMuchComeFirst) {
  const std::vector<LeftBuild> left = {{optimized("a"), 2 * kMillisecond},
                                       {optimized("b"), 3 * kMillisecond}};
  EXPECT_EQ(names(order_left_builds(left, true, has_none)),
            (Names{"quick b", "quick a", "b", "a"}));
}

TEST(LeftBuilds, WhatUsesMuchMoreComesFirst) {
  const std::vector<LeftBuild> left = {{optimized("small"), kMillisecond},
                                       {optimized("large"), 400 * kMillisecond}};
  EXPECT_EQ(names(order_left_builds(left, true, has_none)),
            (Names{"quick large", "large", "quick small", "small"}));
}

TEST(LeftBuilds, QuickUnitsThatAreThereAreNotBuiltAgain) {
  const std::vector<LeftBuild> left = {{optimized("a"), 2 * kMillisecond},
                                       {optimized("b"), 3 * kMillisecond}};
  EXPECT_EQ(names(order_left_builds(left, true, has_all)), (Names{"b", "a"}));
  EXPECT_EQ(names(order_left_builds(left, false, has_none)), (Names{"b", "a"}));
}

TEST(LeftBuilds, EachQuickUnitIsBuiltOnce) {
  const std::vector<LeftBuild> left = {{optimized("a", 16), kMillisecond},
                                       {optimized("a", 32), 2 * kMillisecond},
                                       {quick("a"), kMillisecond}};
  const auto builds = order_left_builds(left, true, has_none);
  EXPECT_EQ(names(builds), (Names{"quick a", "a", "a"}));
  EXPECT_EQ(builds[1]->specialization.local_size[0], 32U);
}

TEST(LeftBuilds, FormatsAreThoseOfTheQuickUnit) {
  auto own = Specialization();
  own.local_size = {16, 1, 1};
  own.know({1, 2});
  const std::vector<LeftBuild> left = {
      {std::make_shared<UnitBuild>(nullptr, "a", own), kMillisecond}};
  const auto builds = order_left_builds(left, true, has_none);
  ASSERT_EQ(builds.size(), 2U);
  EXPECT_EQ(builds[0]->specialization.argument_count, 1U);
  EXPECT_EQ(builds[0]->specialization.arguments, own.arguments);
}

} // namespace
} // namespace heddle
