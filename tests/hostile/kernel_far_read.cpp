// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that reads terabytes past its buffer; the commands that waited for it fail, the others
// run.
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void body() {
  Session session;
  const auto program = build(session.context, R"(
    kernel void far_read(global int* out, global const int* in, ulong distance) {
      out[get_global_id(0)] = in[get_global_id(0) + distance];
    }
    kernel void after(global int* out) { out[get_global_id(0)] = 5; })");
  const auto kernel = make_kernel(program, "far_read"), after = make_kernel(program, "after");
  const auto out = make_buffer(session.context, 4096), in = make_buffer(session.context, 4096);
  const auto other = make_buffer(session.context, 4096, std::vector<cl_int>(1024).data());
  set_args(kernel, out, in, cl_ulong{1} << 43);
  expect_fault(session, kernel, "far_read", {{16}, {}, {}});
  const auto queue = make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Event failing, dependent, independent;
  set_args(after, other);
  check(enqueue(queue, kernel, {{16}, {}, {}}, failing.out()), "far_read");
  check(enqueue(queue, after, {{16}, {}, {}}, dependent.out(), {failing}), "after");
  expect_status(clWaitForEvents(1, dependent.address()),
                CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "waiting for a dependent of a fault");
  expect(event_status(dependent) < 0, "the dependent's status");
  expect(read<cl_int>(session.queue, other, 1)[0] == 0, "the dependent has not run");
  check(enqueue(queue, after, {{16}, {}, {}}, independent.out()), "after");
  expect_status(clWaitForEvents(1, independent.address()), CL_SUCCESS, "an independent command");
}

int main() { return run_program(body); }
