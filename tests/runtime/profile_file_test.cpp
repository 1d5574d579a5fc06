// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What profiles are written as is read as the same, and nothing else is read as one.
#include "runtime/profile/activity.h"
#include "runtime/profile/profile_file.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace heddle::profile {
namespace {

Profile make_profile() {
  Profile profile;
  profile.seconds = 1.25;
  profile.compute_units = 3;
  profile.counters = {"cycles", "page-faults"};
  KernelTimes kernel;
  kernel.name = "a kernel";
  kernel.local_size = {64, 2, 1};
  kernel.launches = 7;
  kernel.time = ~std::uint64_t{0};
  kernel.guessed = 2;
  kernel.flops = 1e300;
  kernel.bytes_read = 0.1;
  kernel.counters = {5, 6};
  kernel.units = {{"plain", 1, 1, 10, 1000, {}},
                  {"optimized", 16, 4, 20, 2000, {"a.cl:3: gather: why", "b"}}};
  kernel.samples = {{"a folder/7", {{0, 3}, {~std::uint64_t{0}, 1}}}, {"", {{0, 2}}}};
  kernel.interval = 1'000'000;
  kernel.ran = {0, 17, 0, 4};
  profile.kernels = {kernel, kernel};
  profile.kernels.back().units.clear();
  profile.builds = {{"", 1, 2, 3, 4}, {"a kernel", 5, 6, 7, 8}};
  return profile;
}

TEST(ProfileFile, IsReadAsWritten) {
  const auto profile = make_profile();
  EXPECT_EQ(from_text(to_text(profile)), profile);
  EXPECT_EQ(from_text(to_text({})), Profile());
}

TEST(ProfileFile, NamesKeepToTheirLine) {
  auto profile = make_profile();
  profile.kernels.front().name = "a\tb\nc";
  const auto read = from_text(to_text(profile));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kernels.front().name, "a b c");
}

TEST(ProfileFile, PartsAreNoProfile) {
  const auto text = to_text(make_profile());
  for (std::size_t i = 0; i < text.size() - 1; ++i)
    EXPECT_FALSE(from_text(text.substr(0, i))) << i;
  EXPECT_FALSE(from_text("heddle-profile\t2\nend\n"));
  EXPECT_FALSE(from_text("heddle-profile\t3\nremark\twhy\nend\n")) << "of no unit";
  EXPECT_FALSE(from_text("heddle-profile\t3\nunit\tplain\t1\t1\t1\t1\nend\n")) << "of no kernel";
  EXPECT_FALSE(from_text("heddle-profile\t3\nkernel\tname\tx\nend\n")) << "no number";
  EXPECT_FALSE(from_text("heddle-profile\t3\nsamples\tunit\t1\t1\nend\n")) << "of no kernel";
  EXPECT_FALSE(from_text(text + "more"));
}

TEST(Activity, SumsStayTheSame) {
  Activity activity;
  std::uint64_t sum = 0;
  for (std::uint64_t begin = 0; begin < 3'000'000'000; begin += 7'654'321) {
    activity.add(begin, begin + 1'234'567);
    sum += 1'234'567;
  }
  const auto& ran = activity.ran();
  EXPECT_EQ(std::accumulate(ran.begin(), ran.end(), std::uint64_t{0}), sum);
  EXPECT_EQ(activity.length(), 8 * Activity::kFirstLength);
  for (std::size_t i = 0; i < 374; ++i)
    EXPECT_GT(ran[i], 0u) << i;
  EXPECT_EQ(ran[380], 0u);
}

} // namespace
} // namespace heddle::profile
