// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch that takes much longer than the kernel's last ones wakes threads for all of its groups,
// although it was estimated to be worth a few.
#include "tests/api/api_test.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <thread>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

// The processor time of each thread of the process, in ticks.
std::map<std::string, long> times_of_threads() {
  std::map<std::string, long> times;
  for (const auto& entry : fs::directory_iterator("/proc/self/task")) {
    std::ifstream file(entry.path() / "stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos)
      continue; // it has ended
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int i = 0; i < 11; ++i) // up to minor and major faults
      fields >> field;
    long user = 0;
    fields >> user;
    times[entry.path().filename()] = user;
  }
  return times;
}

// Launches of `items` work-items in `before_steps` iterations each, then one in many.
void run_long_after(cl_uint before_steps, size_t items) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void work(global uint* out, uint n) {
      uint x = get_global_id(0);
      for (uint i = 0; i < n; ++i)
        x = x * 1664525 + (x >> 7);
      out[get_global_id(0)] = x;
    })",
                             "");
  constexpr size_t kGroup = 64;
  const auto out = make_buffer(context, items * sizeof(cl_uint));
  const auto kernel = make_kernel(program, "work");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), out.address()), "clSetKernelArg");
  const auto run_steps = [&](cl_uint steps) {
    check(clSetKernelArg(kernel, 1, sizeof steps, &steps), "clSetKernelArg");
    run(queue, kernel, {{items}, {kGroup}, {}});
  };
  for (int i = 0; i < 200; ++i)
    run_steps(before_steps);
  // Threads that no longer spin-wait have to be woken.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto before = times_of_threads();
  run_steps(static_cast<cl_uint>((std::uint64_t{1} << 36) / items));
  int busy = 0;
  for (const auto& [thread, time] : times_of_threads()) {
    const auto known = before.find(thread);
    busy += time - (known == before.end() ? 0 : known->second) >= 3;
  }
  EXPECT_GE(busy, 7);
}

TEST(LateLaunchChild, DISABLED_AfterEstimate) {
  run_long_after(8, 1 << 15); // five to ten microseconds
}

TEST(LateLaunchChild, DISABLED_AfterBriefLaunches) {
  run_long_after(0, 1 << 12); // less than a microsecond, most of them not measured
}

class LateLaunch : public testing::TestWithParam<const char*> {};

TEST_P(LateLaunch, IsRunByAllThreads) {
  setenv("HEDDLE_NUM_THREADS", "8", 1);
  const auto result =
      run_self({std::string("--gtest_filter=LateLaunchChild.DISABLED_") + GetParam(),
                "--gtest_also_run_disabled_tests"});
  unsetenv("HEDDLE_NUM_THREADS");
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
}

INSTANTIATE_TEST_SUITE_P(Launches, LateLaunch,
                         testing::Values("AfterEstimate", "AfterBriefLaunches"));

} // namespace
} // namespace heddle::test
