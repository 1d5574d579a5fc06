// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that need more stack than available: a deep chain of large frames and a private array of
// many megabytes. They may succeed, be rejected or fail; the process and the driver survive.
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void run_or_fail(Session& session, const char* source, const char* name, cl_int amount,
                        const Range& range) {
  auto program = make_program(session.context, source);
  const auto built = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  if (built != CL_SUCCESS) {
    expect_status(built, CL_BUILD_PROGRAM_FAILURE, std::string("build of ") + name);
    expect(!build_log(program).empty(), "a log that says why");
  } else {
    const auto kernel = make_kernel(program, name);
    const auto out = make_buffer(session.context, 1 << 16, std::vector<char>(1 << 16).data());
    set_args(kernel, out, amount);
    Event event;
    const auto enqueued = enqueue(session.queue, kernel, range, event.out());
    if (enqueued == CL_SUCCESS) {
      const auto waited = clWaitForEvents(1, event.address());
      expect((waited == CL_SUCCESS) == (event_status(event) == CL_COMPLETE),
             "status and wait agree");
      if (waited != CL_SUCCESS)
        expect(session.messages().find(name) != std::string::npos,
               std::string("the callback names ") + name);
    } else {
      expect(enqueued == CL_OUT_OF_RESOURCES || enqueued == CL_OUT_OF_HOST_MEMORY ||
                 enqueued == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                 enqueued == CL_INVALID_WORK_GROUP_SIZE,
             "enqueue gave " + std::to_string(enqueued));
    }
  }
  expect_works(session, std::string("after ") + name);
}

static void body() {
  Session session;
  run_or_fail(session, R"(
    kernel void huge_private_array(global int* out, int n) {
      volatile int big[16 << 20];
      for (int i = 0; i < n; i += 512) big[i] = i + (int)get_global_id(0);
      out[get_global_id(0)] = big[n / 2 / 512 * 512];
    })",
              "huge_private_array", 16 << 20, {{64}, {16}, {}});
  run_or_fail(session, R"(
    kernel void huge_private_array_with_barrier(global int* out, int n) {
      volatile int big[4 << 20];
      for (int i = 0; i < n; i += 512) big[i] = i + (int)get_global_id(0);
      barrier(CLK_GLOBAL_MEM_FENCE);
      out[get_global_id(0)] = big[n / 2 / 512 * 512];
    })",
              "huge_private_array_with_barrier", 4 << 20, {{256}, {64}, {}});
  // Recursion is invalid in OpenCL C, but compilers may accept it: the depth is known only at run
  // time.
  run_or_fail(session, R"(
    int down(volatile int* depth, int n) {
      volatile int frame[1024];
      frame[n % 1024] = n;
      if (n < *depth) return down(depth, n + 1) + frame[n % 1024];
      return frame[0];
    }
    kernel void recursion(global int* out, int n) {
      volatile int depth = n;
      out[get_global_id(0)] = down(&depth, 0);
    })",
              "recursion", 1 << 28, {{4}, {1}, {}});
}

int main() { return run_program(body); }
