// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain of 100,000 kernels, each waiting for the preceding one, released by one user event; then
// the same with a failing event.
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void chain(Session& session, cl_int outcome) {
  const int count = 100000;
  const auto queue = make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto program = build(session.context, "kernel void advance(global int* x) { *x += 1; }");
  const auto kernel = make_kernel(program, "advance");
  const auto buffer = make_buffer(session.context, 4, std::vector<cl_int>(1).data());
  set_args(kernel, buffer);
  cl_int status = 0;
  Event gate(clCreateUserEvent(session.context, &status));
  Event last;
  for (int i = 0; i != count; ++i) {
    Event next;
    check(enqueue(queue, kernel, {{1}, {1}, {}}, next.out(), {last ? last.get() : gate.get()}),
          "enqueue");
    last = std::move(next);
  }
  check(clFlush(queue), "clFlush");
  check(clSetUserEventStatus(gate, outcome), "clSetUserEventStatus");
  const auto waited = clWaitForEvents(1, last.address());
  expect_status(waited, outcome < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS,
                "the chain's end");
  expect((event_status(last) < 0) == (outcome < 0), "status of the last event");
  expect(read<cl_int>(session.queue, buffer, 1)[0] == (outcome < 0 ? 0 : count),
         "the number of steps that ran");
  expect_works(session, "after a chain");
}

static void body() {
  Session session;
  chain(session, CL_COMPLETE);
  chain(session, -1234);
}

int main() { return run_program(body); }
