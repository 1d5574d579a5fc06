// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands for trace: kernels in two queues that wait for each other, a transfer, and a call that
// fails.
//
//   traced_commands LAUNCHES [exit]
//
// Launches `first` in an in-order queue and `second`, which waits for it, in an out-of-order one,
// so many times each. With `exit` the process ends at once then. Prints "NAME NANOSECONDS": the sum
// of what their events say of END and START.
#include "tests/api/support.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace heddle::test;

namespace {

constexpr size_t kItems = 4096;

cl_ulong nanoseconds(const std::vector<Event>& events) {
  cl_ulong sum = 0;
  for (const auto& event : events) {
    cl_ulong start = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr),
          "start");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "end");
    sum += end - start;
  }
  return sum;
}

void run_commands(int launches, bool exits) {
  const auto context = make_context();
  const auto in_order = make_queue(context, CL_QUEUE_PROFILING_ENABLE);
  const auto out_of_order =
      make_queue(context, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto program = build(context, R"(
kernel void first(global uint* out) { out[get_global_id(0)] = get_global_id(0); }
kernel void second(global uint* out) {
  for (int i = 0; i < 100; ++i)
    out[get_global_id(0)] += out[i];
})");
  const auto a = make_kernel(program, "first");
  const auto b = make_kernel(program, "second");
  const auto out = make_buffer(context, kItems * sizeof(cl_uint));
  set_args(a, out);
  set_args(b, out);
  std::vector<Event> first(launches), second(launches);
  for (int i = 0; i < launches; ++i) {
    const size_t local = 64;
    check(clEnqueueNDRangeKernel(in_order, a, 1, nullptr, &kItems, &local, 0, nullptr,
                                 first[i].out()),
          "first");
    check(clEnqueueNDRangeKernel(out_of_order, b, 1, nullptr, &kItems, &local, 1,
                                 first[i].address(), second[i].out()),
          "second");
    check(clFlush(in_order), "clFlush");
  }
  if (exits)
    std::exit(0);
  check(clFinish(in_order), "clFinish");
  check(clFinish(out_of_order), "clFinish");
  (void)read<cl_uint>(in_order, out, kItems);
  cl_int error = CL_SUCCESS;
  (void)clCreateBuffer(context, 0, 0, nullptr, &error); // fails
  std::printf("first %llu\nsecond %llu\n", static_cast<unsigned long long>(nanoseconds(first)),
              static_cast<unsigned long long>(nanoseconds(second)));
}

} // namespace

int main(int count, char** arguments) try {
  if (count != 2 && count != 3)
    return 2;
  run_commands(std::atoi(arguments[1]), count == 3);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
