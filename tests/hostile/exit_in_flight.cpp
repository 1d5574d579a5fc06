// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exit(), a return from main() and a thread's exit() with pending commands, builds and callbacks:
// the process ends in time and with the requested status.
#include "tests/hostile/hostile.h"

#include <chrono>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace heddle::hostile;

static void CL_CALLBACK dawdle(cl_event, cl_int, void*) {
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

[[noreturn]] static void leave(int way) {
  alarm(60);
  auto* session = new Session; // never released
  const auto program = build(session->context, R"(
    kernel void long_running(global uint* x, uint n) {
      uint v = 1;
      for (uint i = 0; i < n; ++i) v = v * 1664525u + 1013904223u + (v >> 7);
      x[get_global_id(0)] = v;
    })");
  auto kernel = make_kernel(program, "long_running");
  auto buffer = make_buffer(session->context, 1 << 16);
  set_args(kernel, buffer, cl_uint{way == 3 ? 100000u : 3000000u});
  Event event;
  for (int i = 0; i != 20; ++i)
    check(enqueue(session->queue, kernel, {{256}, {16}, {}}, event.out()), "enqueue");
  clSetEventCallback(event, CL_COMPLETE, dawdle, nullptr);
  clFlush(session->queue);
  if (way == 1) {
    auto* building = new Program(
        make_program(session->context,
                     "kernel void k(global int* x) { *x = " + std::to_string(getpid()) + "; }"));
    clBuildProgram(
        *building, 0, nullptr, "", [](cl_program, void*) {}, nullptr);
  }
  if (way == 2)
    std::thread([] { std::exit(7); }).join();
  if (way == 3) { // a command that never completes
    cl_int status = 0;
    auto* gate = new Event(clCreateUserEvent(session->context, &status));
    clEnqueueMarkerWithWaitList(session->queue, 1, gate->address(), nullptr);
    clFlush(session->queue);
  }
  std::exit(7);
}

int main(int argc, char** argv) {
  if (argc == 2)
    leave(std::atoi(argv[1]));
  return run_program([] {
    for (int way = 0; way != 4; ++way) {
      const auto result = run_self({std::to_string(way)});
      expect(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 7,
             "way " + std::to_string(way) + " ended with status " + std::to_string(result.status));
    }
  });
}
