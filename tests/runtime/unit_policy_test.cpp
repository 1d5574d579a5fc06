// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of docs/units.md, a test for each, and what holds for all.
#include "runtime/program/units/policy.h"

#include <gtest/gtest.h>

namespace heddle::unit_policy {
namespace {

constexpr double kMillisecond = 1e6;

// A kernel of which nothing is built, on two processors: its build takes 60 ms, and the launch
// 1 ms in plain code.
Facts first_launch() {
  Facts facts;
  facts.may_have_own = facts.may_begin_plain = facts.has_many_groups = true;
  facts.plain_time = kMillisecond;
  facts.most_plain_time = 5 * kMillisecond;
  facts.compute_units = 2;
  facts.build_time = facts.own_left = facts.generic_left = 60 * kMillisecond;
  return facts;
}

constexpr Decision kPlainBesideOwn{Run::plain, true, Priority::full};
constexpr Decision kWaitForOwn{Run::target, true, Priority::full};
constexpr Decision kWaitForGeneric{Run::target, false, Priority::full};

// Row 1.
TEST(UnitPolicy, OwnIsTheBest) {
  auto facts = first_launch();
  facts.own = State::ready;
  for (const auto generic : {State::absent, State::building, State::ready, State::failed}) {
    facts.generic = generic;
    EXPECT_EQ(decide(facts), (Decision{Run::own, true, Priority::none}));
  }
}

// Row 2.
TEST(UnitPolicy, GenericUntilItHasUsedTheTimeOfABuild) {
  auto facts = first_launch();
  facts.generic = State::ready;
  EXPECT_EQ(decide(facts), (Decision{Run::generic, false, Priority::none}));
  facts.used = 59 * kMillisecond;
  EXPECT_EQ(decide(facts), (Decision{Run::generic, false, Priority::none}));
  // Row 3.
  facts.used = 60 * kMillisecond;
  EXPECT_EQ(decide(facts), (Decision{Run::generic, true, Priority::low}));
  // Row 4: what is being built, or has failed, is not asked for again.
  for (const auto own : {State::building, State::failed}) {
    facts.own = own;
    EXPECT_EQ(decide(facts), (Decision{Run::generic, false, Priority::none}));
  }
  facts.own = State::absent;
  facts.may_have_own = false;
  EXPECT_EQ(decide(facts), (Decision{Run::generic, false, Priority::none}));
}

// Row 5.
TEST(UnitPolicy, ShortLaunchesBeginPlainAndAskForTheirOwn) {
  EXPECT_EQ(decide(first_launch()), kPlainBesideOwn);
  auto facts = first_launch();
  facts.has_many_groups = false;
  EXPECT_EQ(decide(facts), kPlainBesideOwn);
  facts.own = State::building;
  EXPECT_EQ(decide(facts), kPlainBesideOwn);
}

// Row 6: less than half of what is left of the build.
TEST(UnitPolicy, PlainCodeBridgesWhileTheBuildTakesLonger) {
  auto facts = first_launch();
  facts.has_many_groups = false;
  facts.plain_time = 29 * kMillisecond;
  EXPECT_EQ(decide(facts), kPlainBesideOwn);
  facts.plain_time = 31 * kMillisecond;
  EXPECT_EQ(decide(facts), kWaitForOwn);
  facts.plain_time = 29 * kMillisecond;
  facts.own = State::building;
  facts.own_left = 40 * kMillisecond;
  EXPECT_EQ(decide(facts), kWaitForOwn);
  facts.plain_time = kUnknown;
  EXPECT_EQ(decide(facts), kWaitForOwn);
}

// Row 7.
TEST(UnitPolicy, ManyGroupsChangeOver) {
  auto facts = first_launch();
  facts.plain_time = 1000 * kMillisecond;
  EXPECT_EQ(decide(facts), (Decision{Run::plain_after_a_wait, true, Priority::reserved}));
  facts.plain_time = kUnknown;
  EXPECT_EQ(decide(facts), (Decision{Run::plain_after_a_wait, true, Priority::full}));
}

// Row 8.
TEST(UnitPolicy, BuildsGetAProcessorOfKernelsThatUseMuch) {
  auto facts = first_launch();
  facts.used = 14 * kMillisecond; // of 60
  EXPECT_EQ(decide(facts).target, Priority::full);
  facts.used = 15 * kMillisecond;
  EXPECT_EQ(decide(facts), (Decision{Run::plain, true, Priority::reserved}));
}

// Row 9: one processor, on which plain code delays the build.
TEST(UnitPolicy, OneProcessorWaits) {
  auto facts = first_launch();
  facts.compute_units = 1;
  EXPECT_EQ(decide(facts), kPlainBesideOwn);
  facts.used = 28 * kMillisecond;
  EXPECT_EQ(decide(facts), kPlainBesideOwn);
  facts.used = 30 * kMillisecond;
  EXPECT_EQ(decide(facts).target, Priority::full);
  facts.has_many_groups = false;
  EXPECT_EQ(decide(facts), kWaitForOwn);
}

// Row 10.
TEST(UnitPolicy, ManyKindsShareTheGenericUnit) {
  auto facts = first_launch();
  facts.kinds = 2;
  EXPECT_TRUE(decide(facts).target_is_own);
  facts.kinds = 3;
  EXPECT_EQ(decide(facts), (Decision{Run::plain, false, Priority::full}));
  facts.may_begin_plain = false;
  EXPECT_EQ(decide(facts), kWaitForGeneric);
  facts.own = State::building; // asked for before
  EXPECT_EQ(decide(facts), kWaitForOwn);
}

// They do so from the first launches on: the time of all counts, of the quick unit, too.
TEST(UnitPolicy, AllKindsAreWaitingForTheGenericUnit) {
  auto facts = first_launch();
  facts.kinds = 3;
  facts.plain_time = kMillisecond / 10;
  facts.quick = State::absent;
  EXPECT_EQ(decide(facts).target, Priority::low);
  EXPECT_FALSE(decide(facts).builds_quick);
  facts.used_by_all = 2 * kMillisecond;
  EXPECT_EQ(decide(facts).target, Priority::low);
  EXPECT_TRUE(decide(facts).builds_quick);
  facts.used_by_all = 14 * kMillisecond;
  EXPECT_EQ(decide(facts).target, Priority::full);
  facts.used_by_all = 15 * kMillisecond;
  EXPECT_EQ(decide(facts), (Decision{Run::plain, false, Priority::reserved}));
  // For the unit of one kind, only what that has used counts.
  facts.kinds = 2;
  EXPECT_EQ(decide(facts).target, Priority::low);
}

// Row 11.
TEST(UnitPolicy, SizesThatTheDriverChoosesNeedTheGenericUnit) {
  auto facts = first_launch();
  facts.chooses_size = true;
  EXPECT_EQ(decide(facts), (Decision{Run::plain, false, Priority::full}));
}

// Row 12.
TEST(UnitPolicy, AGenericUnitThatIsNearlyDoneIsTaken) {
  auto facts = first_launch();
  facts.may_begin_plain = false;
  facts.generic = State::building;
  EXPECT_EQ(decide(facts), kWaitForOwn);
  facts.generic_left = 29 * kMillisecond;
  EXPECT_EQ(decide(facts), kWaitForGeneric);
}

// Row 13.
TEST(UnitPolicy, WhatCannotBeBuiltIsReplaced) {
  auto facts = first_launch();
  facts.may_begin_plain = false;
  facts.own = State::failed;
  EXPECT_EQ(decide(facts), kWaitForGeneric);
  facts.own = State::absent;
  facts.generic = State::failed;
  facts.kinds = 9;
  EXPECT_EQ(decide(facts), kWaitForOwn);
}

// Row 14.
TEST(UnitPolicy, ProgramsThatTuneThemselvesMeasureOptimizedCode) {
  auto facts = first_launch();
  facts.waits_for_best = true;
  EXPECT_EQ(decide(facts), kWaitForOwn);
}

// Row 15.
TEST(UnitPolicy, WithoutShortLaunches) {
  auto facts = first_launch();
  facts.most_plain_time = 0;
  EXPECT_EQ(decide(facts), (Decision{Run::plain_after_a_wait, true, Priority::full}));
  facts.has_many_groups = false;
  EXPECT_EQ(decide(facts), kWaitForOwn);
}

// Row 16.
TEST(UnitPolicy, AnOwnUnitThatTakesLongIsBridgedByTheGenericOne) {
  auto facts = first_launch();
  facts.own = State::building;
  facts.used = 61 * kMillisecond;
  facts.own_taken = 119 * kMillisecond;
  EXPECT_TRUE(decide(facts).target_is_own);
  facts.own_taken = 121 * kMillisecond;
  EXPECT_FALSE(decide(facts).target_is_own);
  facts.compute_units = 1;
  EXPECT_TRUE(decide(facts).target_is_own);
  facts.compute_units = 2;
  facts.used = 59 * kMillisecond;
  EXPECT_TRUE(decide(facts).target_is_own);
}

// Row 17.
TEST(UnitPolicy, QuickUnitsWhereTheTargetIsNotBuiltAtOnce) {
  auto facts = first_launch();
  facts.waits_for_others = true;
  EXPECT_FALSE(decide(facts).builds_quick); // it cannot be built, or is not wanted
  facts.quick = State::absent;
  EXPECT_TRUE(decide(facts).builds_quick);
  facts.waits_for_others = false; // but these launches are in no hurry
  EXPECT_TRUE(decide(facts).builds_quick);
  facts.plain_time = 0.8 * kMillisecond; // 9 ms to build
  EXPECT_FALSE(decide(facts).builds_quick);
  facts.used = facts.used_by_all = 0.2 * kMillisecond;
  EXPECT_TRUE(decide(facts).builds_quick);
  for (const double much : {3 * kMillisecond, kUnknown}) {
    facts.plain_time = much;
    EXPECT_FALSE(decide(facts).builds_quick);
    facts.waits_for_others = true;
    EXPECT_TRUE(decide(facts).builds_quick);
    facts.waits_for_others = false;
  }
  facts.waits_for_others = true;
  // The optimized one is there as soon.
  facts.own = State::building;
  facts.own_left = 17 * kMillisecond;
  EXPECT_FALSE(decide(facts).builds_quick);
  facts.own_left = 19 * kMillisecond;
  EXPECT_TRUE(decide(facts).builds_quick);
  for (const auto quick : {State::building, State::ready, State::failed}) {
    facts.quick = quick;
    EXPECT_FALSE(decide(facts).builds_quick);
  }
  facts.quick = State::absent;
  facts.may_begin_plain = false;
  EXPECT_FALSE(decide(facts).builds_quick);
  facts.own = State::ready;
  EXPECT_FALSE(decide(facts).builds_quick);
}

// Row 18.
TEST(UnitPolicy, BesideQuickUnitsLittleUseIsInNoHurry) {
  auto facts = first_launch();
  EXPECT_EQ(decide(facts).target, Priority::full);
  facts.quick = State::ready;
  EXPECT_EQ(decide(facts).target, Priority::low); // 1 ms of 60
  facts.used = 2 * kMillisecond;
  EXPECT_EQ(decide(facts).target, Priority::full);
  facts.used = 14 * kMillisecond;
  EXPECT_EQ(decide(facts).target, Priority::full);
  facts.used = 16 * kMillisecond;
  EXPECT_EQ(decide(facts).target, Priority::reserved);
}

// Whatever the states: a launch runs what is ready or can be built, and plain code only where that
// is allowed.
TEST(UnitPolicy, EveryStateHasADecision) {
  const State states[] = {State::absent, State::building, State::ready, State::failed};
  for (const auto own : states)
    for (const auto generic : states)
      for (unsigned bits = 0; bits < 32; ++bits)
        for (const double used : {0.0, 1e12})
          for (const double time : {0.0, 1e7, kUnknown}) {
            auto facts = first_launch();
            facts.own = own;
            facts.generic = generic;
            facts.may_have_own = bits & 1;
            facts.chooses_size = bits & 2;
            facts.may_begin_plain = bits & 4;
            facts.has_many_groups = bits & 8;
            facts.compute_units = bits & 16 ? 1 : 8;
            facts.used = used;
            facts.plain_time = time;
            const auto decision = decide(facts);
            if (decision.run == Run::own) {
              EXPECT_EQ(own, State::ready);
            }
            if (decision.run == Run::generic) {
              EXPECT_EQ(generic, State::ready);
            }
            if (decision.run == Run::plain || decision.run == Run::plain_after_a_wait) {
              EXPECT_TRUE(facts.may_begin_plain);
            }
            if (decision.run != Run::own && decision.run != Run::generic) {
              EXPECT_NE(decision.target, Priority::none);
            }
            if (decision.run != Run::own && decision.target_is_own) {
              EXPECT_TRUE(facts.may_have_own && own != State::failed);
            }
            if (facts.compute_units == 1) {
              EXPECT_NE(decision.target, Priority::reserved);
            }
          }
}

} // namespace
} // namespace heddle::unit_policy
