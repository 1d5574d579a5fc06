// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose build fails runs slowly, with the same results, and the program's log tells.
#include "tests/api/api_test.h"

#include <chrono>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <thread>

namespace heddle::test {
namespace {

// Two kernels with this body: one that is built, and one that is not.
constexpr const char* kBody = R"((global const float* a, global float* c, int n) {
    local float tile[256];
    int x = get_global_id(0), at = get_local_id(0);
    tile[at] = a[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = x % 3 != 1 ? tile[get_local_size(0) - 1 - at] : 2.5f;
    for (int i = 0; i < n + x % 5; ++i)
      s = s * 0.75f + a[(x + i) & 255];
    c[x] = s;
  })";
constexpr size_t kItems = 1 << 10;

std::vector<cl_uint> bits_of_results(cl_context context, cl_command_queue queue, cl_kernel kernel,
                                     size_t group) {
  std::vector<float> values(kItems);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * 7919 % 1000) / 499.0f - 1.0f;
  const auto a = make_buffer(context, kItems * 4, values.data());
  const auto c = make_buffer(context, kItems * 4);
  set_args(kernel, a, c, cl_int{9});
  run(queue, kernel, {{kItems}, {group}, {}});
  return read<cl_uint>(queue, c, kItems);
}

// The test below runs this in a child process, because the driver reads the environment once.
TEST(FailingUnitChild, DISABLED_RunsWhatFails) {
  std::string message;
  const auto context = make_context([](const char* text, const void*, size_t,
                                       void* into) { *static_cast<std::string*>(into) += text; },
                                    &message);
  const auto queue = make_queue(context);
  const auto program = build(context, "kernel void whole" + std::string(kBody) +
                                          "kernel void broken" + std::string(kBody));
  EXPECT_EQ(build_log(program), "");
  const auto whole = make_kernel(program, "whole"), broken = make_kernel(program, "broken");
  for (const size_t group : {1, 16, 64, 256})
    EXPECT_EQ(bits_of_results(context, queue, broken, group),
              bits_of_results(context, queue, whole, group))
        << group;
  // The build may end behind the last of these launches; the next one tells.
  for (int i = 0; i < 2000 && message.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    bits_of_results(context, queue, broken, 256);
  }
  const auto log = build_log(program);
  EXPECT_NE(log.find("'broken' is slow"), std::string::npos) << log;
  EXPECT_EQ(log.find("'whole'"), std::string::npos) << log;
  const auto first = message.find("'broken' is slow");
  EXPECT_NE(first, std::string::npos) << message;
  EXPECT_EQ(message.find("'broken' is slow", first + 1), std::string::npos) << "told twice";
}

TEST(FailingUnit, IsReplaced) {
  setenv("HEDDLE_CACHE", "0", 1); // which may have the unit from another test
  setenv("HEDDLE_FAIL", "none,broken", 1);
  const auto result = run_self({"--gtest_filter=FailingUnitChild.DISABLED_RunsWhatFails",
                                "--gtest_also_run_disabled_tests"});
  unsetenv("HEDDLE_FAIL");
  unsetenv("HEDDLE_CACHE");
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0) << result.output;
}

} // namespace
} // namespace heddle::test
