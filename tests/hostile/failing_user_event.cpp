// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Failing user events with dependent commands of every kind: none runs, blocking calls return the
// error code, and in-order and out-of-order queues can be used afterwards.
#include "tests/hostile/hostile.h"

#include <chrono>
#include <thread>

using namespace heddle::hostile;

static void body() {
  Session session;
  const auto program = build(session.context, "kernel void k(global int* x) { *x = 1; }");
  const auto kernel = make_kernel(program, "k");
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const auto queue = make_queue(session.context, properties);
    const auto buffer = make_buffer(session.context, 256, std::vector<char>(256).data());
    const auto other = make_buffer(session.context, 256);
    set_args(kernel, buffer);
    cl_int status = 0;
    Event gate(clCreateUserEvent(session.context, &status));
    cl_int value = 77;
    std::vector<Event> events(8);
    check(enqueue(queue, kernel, {{1}, {}, {}}, events[0].out(), {gate}), "kernel");
    check(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &value, 1, gate.address(),
                               events[1].out()),
          "write");
    check(clEnqueueFillBuffer(queue, buffer, &value, 4, 0, 8, 1, gate.address(), events[2].out()),
          "fill");
    check(clEnqueueCopyBuffer(queue, other, buffer, 0, 0, 8, 1, gate.address(), events[3].out()),
          "copy");
    check(clEnqueueMarkerWithWaitList(queue, 1, gate.address(), events[4].out()), "marker");
    check(clEnqueueMigrateMemObjects(queue, 1, buffer.address(), 0, 1, gate.address(),
                                     events[5].out()),
          "migrate");
    void* mapped = clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 0, 4, 1, gate.address(),
                                      events[6].out(), &status);
    (void)mapped;
    check(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4, &value, 1, gate.address(),
                              events[7].out()),
          "read");
    check(clFlush(queue), "clFlush");
    std::thread failing([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      clSetUserEventStatus(gate, -99);
    });
    cl_int seen = 0;
    expect_status(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &seen, 1, gate.address(), nullptr),
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a blocking read behind a failed event");
    failing.join();
    for (size_t i = 0; i != events.size(); ++i) {
      expect_status(clWaitForEvents(1, events[i].address()),
                    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                    "waiting for command " + std::to_string(i));
      expect(event_status(events[i]) < 0, "status of command " + std::to_string(i));
    }
    expect(value == 77, "the read that failed has written nothing");
    const auto after = make_queue(session.context);
    expect(read<cl_int>(after, buffer, 1)[0] == 0, "no command that failed has run");
    expect_works(session, "after a failed user event");
  }
}

int main() { return run_program(body); }
