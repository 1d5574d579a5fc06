// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_PROCESSORS: the device has a compute unit for each processor that is named, and its
// threads stay there.
#include "tests/api/api_test.h"

#include <cstdlib>
#include <sched.h>

namespace heddle::test {
namespace {

// The last one that this process may use.
int last_processor() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  int cpu = CPU_SETSIZE - 1;
  while (cpu > 0 && !CPU_ISSET(cpu, &set))
    --cpu;
  return cpu;
}

// Before the driver is opened.
const int kSet = setenv("HEDDLE_PROCESSORS", std::to_string(last_processor()).c_str(), 1);

TEST(Processors, ThreadsStayThere) {
  EXPECT_EQ(info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  const auto context = make_context();
  const auto queue = make_queue(context);
  cpu_set_t set;
  CPU_ZERO(&set);
  cpu_set_t* where = &set;
  check(clEnqueueNativeKernel(
            queue,
            [](void* argument) {
              sched_getaffinity(0, sizeof(cpu_set_t), *static_cast<cpu_set_t**>(argument));
            },
            static_cast<void*>(&where), sizeof where, 0, nullptr, nullptr, 0, nullptr, nullptr),
        "clEnqueueNativeKernel");
  check(clFinish(queue), "clFinish");
  EXPECT_EQ(CPU_COUNT(&set), 1);
  EXPECT_TRUE(CPU_ISSET(last_processor(), &set));
}

TEST(Processors, SumsUp) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(
      context, "kernel void twice(global uint* x) { x[get_global_id(0)] = 2 * get_global_id(0); }");
  const auto kernel = make_kernel(program, "twice");
  const auto buffer = make_buffer(context, 4096 * 4);
  set_args(kernel, buffer);
  run(queue, kernel, {{4096}, {}, {}});
  const auto values = read<cl_uint>(queue, buffer, 4096);
  for (cl_uint i = 0; i < 4096; ++i)
    ASSERT_EQ(values[i], 2 * i);
}

} // namespace
} // namespace heddle::test
