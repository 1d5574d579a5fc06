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

TEST(LateLaunchChild, DISABLED_IsRunByAllThreads) {
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
  constexpr size_t kItems = 1 << 15, kGroup = 64;
  const auto out = make_buffer(context, kItems * sizeof(cl_uint));
  const auto kernel = make_kernel(program, "work");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), out.address()), "clSetKernelArg");
  const auto run_steps = [&](cl_uint steps) {
    check(clSetKernelArg(kernel, 1, sizeof steps, &steps), "clSetKernelArg");
    run(queue, kernel, {{kItems}, {kGroup}, {}});
  };
  for (int i = 0; i < 200; ++i)
    run_steps(8); // of about five to ten microseconds
  // Threads that no longer spin-wait have to be woken.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto before = times_of_threads();
  run_steps(1 << 21);
  int busy = 0;
  for (const auto& [thread, time] : times_of_threads()) {
    const auto known = before.find(thread);
    busy += time - (known == before.end() ? 0 : known->second) >= 3;
  }
  EXPECT_GE(busy, 7);
}

TEST(LateLaunch, IsRunByAllThreads) {
  setenv("HEDDLE_NUM_THREADS", "8", 1);
  const auto result = run_self({"--gtest_filter=LateLaunchChild.DISABLED_IsRunByAllThreads",
                                "--gtest_also_run_disabled_tests"});
  unsetenv("HEDDLE_NUM_THREADS");
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
}

} // namespace
} // namespace heddle::test
