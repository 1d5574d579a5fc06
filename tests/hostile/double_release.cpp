// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every object released once too often: the second call returns the error, and no other object is
// destroyed.
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void body() {
  Session session;
  auto context = make_context();
  auto queue = make_queue(context);
  auto buffer = make_buffer(context, 64);
  auto program = build(context, "kernel void k(global int* x) { *x = 1; }");
  auto kernel = make_kernel(program, "k");
  cl_int status = 0;
  Event event(clCreateUserEvent(context, &status));
  const auto q = queue.leak();
  const auto b = buffer.leak();
  const auto p = program.leak();
  const auto k = kernel.leak();
  const auto e = event.leak();
  const auto c = context.leak();
  expect_status(clReleaseKernel(k), CL_SUCCESS, "clReleaseKernel");
  expect_status(clReleaseKernel(k), CL_INVALID_KERNEL, "second clReleaseKernel");
  expect_status(clReleaseProgram(p), CL_SUCCESS, "clReleaseProgram");
  expect_status(clReleaseProgram(p), CL_INVALID_PROGRAM, "second clReleaseProgram");
  expect_status(clReleaseMemObject(b), CL_SUCCESS, "clReleaseMemObject");
  expect_status(clReleaseMemObject(b), CL_INVALID_MEM_OBJECT, "second clReleaseMemObject");
  expect_status(clReleaseEvent(e), CL_SUCCESS, "clReleaseEvent");
  expect_status(clReleaseEvent(e), CL_INVALID_EVENT, "second clReleaseEvent");
  expect_status(clReleaseCommandQueue(q), CL_SUCCESS, "clReleaseCommandQueue");
  expect_status(clReleaseCommandQueue(q), CL_INVALID_COMMAND_QUEUE, "second clReleaseCommandQueue");
  expect_status(clReleaseContext(c), CL_SUCCESS, "clReleaseContext");
  expect_status(clReleaseContext(c), CL_INVALID_CONTEXT, "second clReleaseContext");
  for (int i = 0; i != 100; ++i)
    expect_status(clReleaseDevice(device()), CL_SUCCESS, "clReleaseDevice of a root device");
  // Released once too often while another object still needs it: the kernel keeps its program.
  auto held = build(session.context, "kernel void k(global int* x) { *x = 1; }");
  const auto user = make_kernel(held, "k");
  const auto handle = held.leak();
  expect_status(clReleaseProgram(handle), CL_SUCCESS, "clReleaseProgram with a kernel");
  expect_status(clReleaseProgram(handle), CL_INVALID_PROGRAM,
                "second clReleaseProgram with a kernel");
  const auto out = make_buffer(session.context, 4);
  set_args(user, out);
  run(session.queue, user, {{1}, {}, {}});
  expect_works(session, "after double releases");
}

int main() { return run_program(body); }
