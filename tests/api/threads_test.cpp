// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver keeps no threads before the first command.
#include "tests/api/api_test.h"

#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

namespace heddle::test {
namespace {

std::ptrdiff_t thread_count() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(Threads, ComeWithTheFirstCommand) {
  const auto before = thread_count();
  device();
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto buffer = make_buffer(context, 4 << 20);
  // The threads of builds end with the builds.
  const auto program = build(context, R"(
    kernel void burn(global int* x) {
      int v = x[get_global_id(0)];
      for (int i = 0; i < 1000; ++i)
        v = v * v + i;
      x[get_global_id(0)] = v;
    })");
  const auto kernel = make_kernel(program, "burn");
  set_args(kernel, buffer);
  cl_ulong bytes = 0; // waits for the kernel's build
  check(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes,
                                 nullptr),
        "clGetKernelWorkGroupInfo");
  for (int tries = 0; tries < 500 && thread_count() != before; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(thread_count(), before);
  for (int i = 0; i < 3; ++i) // the first launch may be one thread's, to see how long it takes
    check(enqueue(queue, kernel, {{1 << 20}, {64}, {}}), "enqueue");
  check(clFlush(queue), "clFlush");
  EXPECT_GT(thread_count(), before);
  check(clFinish(queue), "clFinish");
}

} // namespace
} // namespace heddle::test
