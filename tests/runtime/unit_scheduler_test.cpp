// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds in the background: which comes when, and of which priority. HEDDLE_FAKE_COMPILER is the
// library built from fake_compiler.cpp, which ends builds when it is told to, and logs the niceness
// of their threads.
#include "runtime/execution/reserved_units.h"
#include "runtime/program/unit_scheduler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <thread>

namespace heddle {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Options are read once, at the first use. Two compute units: one thread builds what is needed
// soon.
const bool kEnvironmentIsSet = [] {
  setenv("HEDDLE_COMPILER", HEDDLE_FAKE_COMPILER, 1);
  setenv("HEDDLE_CACHE", "0", 1);
  setenv("HEDDLE_NUM_THREADS", "2", 1);
  return true;
}();

void tell_compiler(const char* function, const char* kernel) {
  static void* const library = dlopen(HEDDLE_FAKE_COMPILER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  reinterpret_cast<void (*)(const char*)>(dlsym(library, function))(kernel);
}
void hold(const char* kernel) { tell_compiler("hold_builds", kernel); }
void release(const char* kernel) { tell_compiler("release_builds", kernel); }

BuildRef build_of(const char* kernel) {
  static const auto source =
      std::make_shared<UnitSource>(std::make_shared<ProgramFile>(), ProgramMetadata());
  Specialization own;
  own.local_size = {16, 1, 1};
  return std::make_shared<UnitBuild>(source, kernel, own);
}

template <typename Condition>
bool happens(const Condition& condition) {
  const auto end = Clock::now() + 20s;
  while (!condition() && Clock::now() < end)
    std::this_thread::sleep_for(1ms);
  return condition();
}
bool begins(const BuildRef& build) {
  return happens([&] { return build->begun_at.load() != 0; });
}
bool ends(const BuildRef& build) {
  return happens([&] { return build->is_done.load(); });
}

// Launches that have used so many milliseconds in other units.
unit_scheduler::Launches launches(std::uint64_t milliseconds) {
  unit_scheduler::Launches launches;
  launches.nanoseconds = milliseconds * 1'000'000;
  return launches;
}
// The last one is some time ago.
unit_scheduler::Launches launches_until_now(std::uint64_t milliseconds) {
  auto stopped = launches(milliseconds);
  stopped.expected_until = Clock::now();
  return stopped;
}

void want(const BuildRef& build, const unit_scheduler::Launches& launches) {
  unit_scheduler::start(build);
  unit_scheduler::prefer(build, launches);
}

// One build occupies the thread while others are asked for.
class UnitScheduler : public testing::Test {
 protected:
  UnitScheduler() {
    hold("first");
    want(first_, launches(0));
    EXPECT_TRUE(begins(first_));
  }
  void end_first() {
    release("first");
    EXPECT_TRUE(ends(first_));
  }

  // And it has been seen that the launches of `stopped` have, though they have used much.
  void begin_other(std::uint64_t milliseconds) {
    want(stopped_, launches_until_now(100));
    want(other_, launches(milliseconds));
    hold("other");
    end_first();
    EXPECT_TRUE(begins(other_));
  }

  const BuildRef first_ = build_of("first"), stopped_ = build_of("stopped"),
                 other_ = build_of("other");
};

TEST_F(UnitScheduler, WhatGainsMostComesFirst) {
  const auto little = build_of("little"), much = build_of("much");
  want(little, launches(1));
  want(much, launches(2));
  end_first();
  EXPECT_TRUE(ends(little) && ends(much));
  EXPECT_LT(much->begun_at, little->begun_at);
  EXPECT_EQ(much->log, "niceness 0\n");
}

TEST_F(UnitScheduler, LaunchesThatHaveStoppedWaitForOthers) {
  begin_other(1);
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(stopped_->begun_at, 0u);
  release("other");
  EXPECT_TRUE(ends(other_) && ends(stopped_));
  EXPECT_EQ(other_->log, "niceness 0\n");
  EXPECT_EQ(stopped_->log, "niceness 19\n");
}

TEST_F(UnitScheduler, LaunchesThatGoOnAreInAHurryAgain) {
  begin_other(1);
  want(stopped_, launches(100));
  release("other");
  EXPECT_TRUE(ends(stopped_));
  EXPECT_EQ(stopped_->log, "niceness 0\n");
}

// For the cache, and then it keeps its program no longer.
TEST_F(UnitScheduler, KernelsThatAreReleasedDoNotWaitForOthers) {
  begin_other(1'000);
  const auto last = build_of("last");
  want(last, launches(1));
  hold("last");
  unit_scheduler::abandon(stopped_);
  release("other");
  EXPECT_TRUE(ends(stopped_));
  EXPECT_EQ(stopped_->log, "niceness 0\n");
  release("last");
  EXPECT_TRUE(ends(last));
}

TEST_F(UnitScheduler, BuildsThatHaveBegunSlowlyHaveAProcessorWhenLaunchesGoOn) {
  hold("stopped");
  want(stopped_, launches_until_now(100));
  end_first();
  EXPECT_TRUE(begins(stopped_));
  EXPECT_EQ(reserved_units::rest(2), 2u);
  want(stopped_, launches(100));
  EXPECT_EQ(reserved_units::rest(2), 1u);
  release("stopped");
  EXPECT_TRUE(ends(stopped_));
  EXPECT_EQ(stopped_->log, "niceness 19\n");
  EXPECT_TRUE(happens([] { return reserved_units::rest(2) == 2; }));
}

// The compiler of "endless" goes on until it is cancelled.
TEST(UnitBuilds, AreGivenUpAfterTheirMostProcessorTime) {
  const auto build = build_of("endless");
  build->max_processor_time = 200ms;
  unit_scheduler::start(build);
  EXPECT_TRUE(ends(build));
  EXPECT_EQ(build->unit, nullptr);
  EXPECT_FALSE(build->is_replaced);
  EXPECT_GE(build->processor_time, 200ms);
}

// What is left to a helper is one build.
TEST(UnitBuilds, OfEqualProgramsHaveTheSameResult) {
  const auto build = build_of("a");
  const auto program = std::make_shared<ProgramFile>();
  const auto built_from = [&](const std::shared_ptr<ProgramFile>& file) {
    return UnitBuild(std::make_shared<UnitSource>(file, ProgramMetadata()), "a",
                     build->specialization);
  };
  EXPECT_TRUE(has_same_result(*build, built_from(program)));
  EXPECT_FALSE(has_same_result(*build, *build_of("b")));
  program->payload.push_back(std::byte{1});
  EXPECT_FALSE(has_same_result(*build, built_from(program)));
}

} // namespace
} // namespace heddle
