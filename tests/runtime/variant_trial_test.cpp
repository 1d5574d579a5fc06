// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the measurements of two variants decide.
#include "runtime/execution/variant_trial.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <vector>

namespace heddle {
namespace {

using Verdict = VariantTrial::Verdict;

constexpr auto kAnyTime = std::numeric_limits<std::uint64_t>::max();

// Pairs until a verdict, with the challenger's time for 1000 ns of the champion's.
template <class Times>
std::size_t add_until_verdict(VariantTrial& trial, Times times) {
  std::size_t pairs = 0;
  for (; trial.is_open() && pairs < 100; ++pairs)
    trial.add_pair({10, 1000}, {10, std::uint64_t{times(pairs)}});
  return pairs;
}

TEST(VariantTrial, ClearCasesNeedFewPairs) {
  VariantTrial faster(kAnyTime), slower(kAnyTime);
  EXPECT_LT(add_until_verdict(faster, [](std::size_t) { return 500u; }), 6U);
  EXPECT_EQ(faster.verdict(), Verdict::better);
  EXPECT_LT(add_until_verdict(slower, [](std::size_t) { return 2000u; }), 6U);
  EXPECT_EQ(slower.verdict(), Verdict::not_better);
}

TEST(VariantTrial, OnePairRejectsWhatLosesMuchTime) {
  VariantTrial slow(kAnyTime), first_run(kAnyTime);
  slow.add_pair({10, 2'000'000}, {10, 9'000'000});
  EXPECT_EQ(slow.verdict(), Verdict::not_better);
  first_run.add_pair({10, 2000}, {10, 90'000});
  EXPECT_TRUE(first_run.is_open());
}

TEST(VariantTrial, TheMedianDecides) {
  VariantTrial faster(kAnyTime), same(kAnyTime);
  const auto disturbed = [](std::uint64_t usual) {
    return [usual](std::size_t pair) { return pair % 3 == 1 ? std::uint64_t{50'000} : usual; };
  };
  EXPECT_EQ(add_until_verdict(faster, disturbed(900)), VariantTrial::kPairs);
  EXPECT_EQ(faster.verdict(), Verdict::better);
  EXPECT_DOUBLE_EQ(faster.ratio(), 0.9);
  EXPECT_EQ(add_until_verdict(same, disturbed(990)), VariantTrial::kPairs);
  EXPECT_EQ(same.verdict(), Verdict::not_better);
}

TEST(VariantTrial, ComparesTimesOfGroups) {
  VariantTrial trial(kAnyTime);
  while (trial.is_open())
    trial.add_pair({10, 1000}, {40, 2000});
  EXPECT_EQ(trial.verdict(), Verdict::better);
  EXPECT_DOUBLE_EQ(trial.ratio(), 0.5);
  EXPECT_EQ(trial.lost_nanoseconds(), 0U);
}

TEST(VariantTrial, CountsWhatIsLost) {
  VariantTrial trial(kAnyTime);
  trial.add_pair({10, 1000}, {20, 5000});
  EXPECT_EQ(trial.lost_nanoseconds(), 3000U);
}

// Whole launches: only those of the same size are compared.
TEST(VariantTrial, PairsLaunches) {
  VariantTrial trial(kAnyTime);
  trial.add_launch(false, 100, {10, 1000});
  trial.add_launch(true, 200, {20, 4000});
  EXPECT_EQ(trial.ratio(), 0);
  trial.add_launch(false, 200, {20, 2000});
  EXPECT_DOUBLE_EQ(trial.ratio(), 2);
  trial.add_launch(true, 100, {10, 1000}); // the first one is too long ago
  EXPECT_DOUBLE_EQ(trial.ratio(), 2);
}

TEST(VariantTrial, HalfOfTheLaunchesAreTheChallengers) {
  VariantTrial trial(10'000);
  int challengers = 0;
  for (int i = 0; i < 40; ++i)
    challengers += trial.next_launch_is_challenger(5000);
  EXPECT_EQ(challengers, 20);
  for (int i = 0; i < 40; ++i)
    EXPECT_FALSE(trial.next_launch_is_challenger(20'000)); // too long
}

TEST(TrialRanges, TwoPairsOfFourRanges) {
  VariantTrial trial(kAnyTime);
  TrialRanges ranges(&trial);
  std::vector<bool> order;
  for (int i = 0; i < 9; ++i) {
    order.push_back(ranges.next_is_challenger());
    ranges.add(order.back(), {1, order.back() ? std::uint64_t{950} : std::uint64_t{1000}});
  }
  EXPECT_EQ(order, (std::vector<bool>{false, false, true, true, false, false, true, true, false}));
  EXPECT_DOUBLE_EQ(trial.ratio(), 0.95);
  TrialRanges none(nullptr);
  EXPECT_FALSE(none.next_is_challenger());
  none.add(false, {1, 1});
  EXPECT_FALSE(none.next_is_challenger());
}

// With data that is not in the caches yet, the first range takes several times as long.
TEST(TrialRanges, FirstRangesOfThreadsDecideNothing) {
  VariantTrial trial(kAnyTime);
  for (int thread = 0; thread < 8; ++thread) {
    TrialRanges ranges(&trial);
    ranges.add(ranges.next_is_challenger(), {1, 4000});
    for (int i = 0; i < 2; ++i) {
      const bool is_challenger = ranges.next_is_challenger();
      ranges.add(is_challenger, {1, is_challenger ? std::uint64_t{1500} : std::uint64_t{1000}});
    }
  }
  EXPECT_EQ(trial.verdict(), Verdict::not_better);
  EXPECT_DOUBLE_EQ(trial.ratio(), 1.5);
}

TEST(VariantTrial, FromManyThreads) {
  VariantTrial trial(kAnyTime);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      while (trial.is_open()) {
        trial.add_pair({10, 1000}, {10, 950});
        trial.add_launch(trial.next_launch_is_challenger(1), 100, {10, 1000});
      }
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_NE(trial.verdict(), Verdict::open);
}

} // namespace
} // namespace heddle
