// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

// The options are read once per process, so each case runs in its own process. Its exit status
// encodes the value, and its standard error has the warning.
[[noreturn]] void read_check(const char* value) {
  setenv("HEDDLE_CHECK", value, 1);
  const auto& checks = heddle::options().CHECK;
  std::exit(10 + (checks.division ? 1 : 0) + (checks.memory ? 2 : 0) + (checks.race ? 4 : 0) +
            (checks.divergence ? 8 : 0) + (checks.uninitialized ? 16 : 0) +
            (checks.buffers ? 32 : 0));
}

constexpr int kNothing = 10;
constexpr int kDivision = 11;
constexpr int kMemory = 12;
constexpr int kBoth = 13;
constexpr int kOrder = 22; // race and divergence
constexpr int kUninitialized = 26;
constexpr int kBuffers = 58; // and uninitialized

TEST(Options, ChecksAreAList) {
  EXPECT_EXIT(read_check(""), testing::ExitedWithCode(kNothing), "^$");
  EXPECT_EXIT(read_check("division"), testing::ExitedWithCode(kDivision), "^$");
  EXPECT_EXIT(read_check(",division,"), testing::ExitedWithCode(kDivision), "^$");
  EXPECT_EXIT(read_check("memory"), testing::ExitedWithCode(kMemory), "^$");
  EXPECT_EXIT(read_check("memory,division"), testing::ExitedWithCode(kBoth), "^$");
  EXPECT_EXIT(read_check("race,divergence"), testing::ExitedWithCode(kOrder), "^$");
  EXPECT_EXIT(read_check("uninitialized"), testing::ExitedWithCode(kUninitialized), "^$");
  EXPECT_EXIT(read_check("buffers"), testing::ExitedWithCode(kBuffers), "^$");
}

TEST(Options, AnUnknownCheckIsAWarning) {
  EXPECT_EXIT(
      read_check("divisions"), testing::ExitedWithCode(kNothing),
      "HEDDLE_CHECK names 'divisions', which is not a check; the checks are division, memory, "
      "race, divergence, uninitialized and buffers");
  EXPECT_EXIT(read_check("bounds,division"), testing::ExitedWithCode(kDivision),
              "HEDDLE_CHECK names 'bounds'");
}

TEST(Options, NamesOfChecks) {
  EXPECT_EQ(heddle::names_of({}), "");
  EXPECT_EQ(heddle::names_of({true, false}), "division");
  EXPECT_EQ(heddle::names_of({true, true}), "division,memory");
  EXPECT_EQ(heddle::names_of({false, true, true, true}), "memory,race,divergence");
}

TEST(Options, ThePageListsThem) {
  for (const auto& option : heddle::option_descriptions())
    if (option.name == std::string_view("HEDDLE_CHECK")) {
      EXPECT_EQ(option.type, std::string_view("Checks"));
      EXPECT_EQ(option.value, "");
      return;
    }
  FAIL() << "HEDDLE_CHECK is not listed";
}

} // namespace
