// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One cell of the exit matrix: what the device does meanwhile, from where the process ends, and
// how.
#pragma once

#include "tests/hostile/hostile.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace heddle::hostile {

constexpr int kCode = 7;
constexpr const char* kLastWords = "last words"; // left in the buffer of stdout

inline std::string way; // how the process ends

[[noreturn]] inline void end_process() {
  std::fputs(kLastWords, stdout);
  if (way == "quick_exit")
    std::quick_exit(kCode);
  if (way == "_Exit")
    std::_Exit(kCode);
  std::exit(kCode);
}

// What the program uses of the driver; never released.
struct Used {
  Session session;
  Program program = build(session.context, R"(
    kernel void add(global uint* x) { x[get_global_id(0)] += 1; }
    kernel void long_running(global uint* x, uint n) {
      uint v = 1;
      for (uint i = 0; i < n; ++i) v = v * 1664525u + 1013904223u + (v >> 7);
      x[get_global_id(0)] = v;
    }
    kernel void fault(global uint* x) { *(volatile global uint*)0 = x[get_global_id(0)]; })");
  Kernel add = make_kernel(program, "add");
  Buffer buffer = make_buffer(session.context, 4000, std::vector<cl_uint>(1000).data());
};

// Uses the driver, and ends the process with an error if that does not work.
inline void use_driver(const Used& device) {
  const auto queue = make_queue(device.session.context);
  const auto kernel = make_kernel(device.program, "add");
  const auto buffer = make_buffer(device.session.context, 4000, std::vector<cl_uint>(1000).data());
  set_args(kernel, buffer);
  run(queue, kernel, {{1000}, {}, {}});
  for (const auto value : read<cl_uint>(queue, buffer, 1000))
    if (value != 1)
      std::_Exit(3);
  // What no cache has, the first time.
  build(device.session.context,
        "kernel void k(global int* x) { *x = " + std::to_string(getpid() % 4) + "; }");
}

// A source that no cache has.
inline std::string new_source(int number) {
  std::string text;
  for (int i = 0; i != 8; ++i)
    text +=
        "kernel void k" + std::to_string(i) +
        "(global int* x, int n) { for (int i = 0; i < n; ++i) x[i] += " + std::to_string(getpid()) +
        " + x[i + " + std::to_string(number) + "]; }\n";
  return text;
}

// --- What the device does meanwhile. The objects are never released.

inline void run_kernels(Used& device) {
  auto* queue = new Queue(make_queue(device.session.context));
  auto kernel = make_kernel(device.program, "long_running");
  auto buffer = make_buffer(device.session.context, 1 << 16);
  set_args(kernel, buffer, cl_uint{3000000});
  for (int i = 0; i != 20; ++i)
    check(enqueue(*queue, kernel, {{256}, {16}, {}}), "enqueue");
  check(clFlush(*queue), "clFlush");
}

inline void run_builds(Used& device) {
  auto* program = new Program(build(device.session.context, new_source(0)));
  std::array<cl_kernel, 8> kernels{};
  check(clCreateKernelsInProgram(*program, 8, kernels.data(), nullptr), "clCreateKernelsInProgram");
  auto* other = new Program(make_program(device.session.context, new_source(1)));
  clBuildProgram(
      *other, 0, nullptr, "", [](cl_program, void*) {}, nullptr);
}

// With HEDDLE_TUNE=full and HEDDLE_VARIANTS=each: builds of variants, and launches that compare.
inline void run_trials(Used& device) {
  auto* program = new Program(build(device.session.context, new_source(2)));
  auto kernel = make_kernel(*program, "k0");
  set_args(kernel, device.buffer, cl_int{1});
  for (int i = 0; i != 20; ++i)
    check(enqueue(device.session.queue, kernel, {{256}, {16}, {}}), "enqueue");
  check(clFlush(device.session.queue), "clFlush");
}

inline void run_callbacks(Used& device) {
  auto* queue = new Queue(make_queue(device.session.context));
  for (int i = 0; i != 3; ++i) {
    auto* event = new Event;
    check(clEnqueueMarkerWithWaitList(*queue, 0, nullptr, event->out()), "marker");
    clSetEventCallback(
        *event, CL_COMPLETE,
        [](cl_event, cl_int, void*) {
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
        },
        nullptr);
  }
  check(clFlush(*queue), "clFlush");
}

// --- From where it ends.

[[noreturn]] inline void sleep_forever() {
  for (;;)
    pause();
}

inline void CL_CALLBACK end_in_event(cl_event, cl_int, void*) { end_process(); }
inline void CL_CALLBACK end_in_program(cl_program, void*) { end_process(); }

// In a callback of the state. The event is that of a marker behind launches.
inline void end_at(Used& device, cl_int state) {
  cl_int status = 0;
  Event gate(clCreateUserEvent(device.session.context, &status)), last;
  set_args(device.add, device.buffer);
  for (int i = 0; i != 20; ++i)
    check(enqueue(device.session.queue, device.add, {{1000}, {}, {}}), "enqueue");
  check(clEnqueueMarkerWithWaitList(device.session.queue, 1, gate.address(), last.out()), "marker");
  check(clSetEventCallback(last, state, end_in_event, nullptr), "clSetEventCallback");
  clSetUserEventStatus(gate, CL_COMPLETE);
  clFlush(device.session.queue);
}

inline void end_in_notify() {
  auto context = make_context([](const char*, const void*, size_t, void*) { end_process(); });
  const auto program =
      build(context, "kernel void fault(global uint* x) { *(volatile global uint*)0 = *x; }");
  auto kernel = make_kernel(program, "fault");
  const auto buffer = make_buffer(context, 4);
  auto queue = make_queue(context);
  set_args(kernel, buffer);
  check(enqueue(queue, kernel, {{1}, {}, {}}), "enqueue");
  clFlush(queue);
  sleep_forever();
}

inline void end_in_build(Used& device, int which) {
  auto program = make_program(device.session.context, new_source(4));
  if (which == 0)
    clBuildProgram(program, 0, nullptr, "", end_in_program, nullptr);
  if (which == 1)
    clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, end_in_program, nullptr);
  if (which == 2) {
    check(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
          "clCompileProgram");
    cl_int status = 0;
    clLinkProgram(device.session.context, 0, nullptr, "", 1, program.address(), end_in_program,
                  nullptr, &status);
  }
  sleep_forever();
}

// When the last reference goes: that of the user, or that of a command.
inline void end_in_destructor(Used& device, bool by_command) {
  auto buffer = make_buffer(device.session.context, 1 << 16);
  check(clSetMemObjectDestructorCallback(
            buffer, [](cl_mem, void*) { end_process(); }, nullptr),
        "clSetMemObjectDestructorCallback");
  if (by_command) {
    auto kernel = make_kernel(device.program, "long_running");
    set_args(kernel, buffer, cl_uint{100000});
    check(enqueue(device.session.queue, kernel, {{1024}, {16}, {}}), "enqueue");
    clFlush(device.session.queue);
  }
  buffer.reset();
}

inline void end_in_context_destructor() {
  auto context = make_context();
  check(clSetContextDestructorCallback(
            context, [](cl_context, void*) { end_process(); }, nullptr),
        "clSetContextDestructorCallback");
  context.reset();
}

inline void end_in_native_kernel(Used& device) {
  check(clEnqueueNativeKernel(
            device.session.queue, [](void*) { end_process(); }, nullptr, 0, 0, nullptr, nullptr, 0,
            nullptr, nullptr),
        "clEnqueueNativeKernel");
  clFlush(device.session.queue);
}

inline void end_in_svm_free(Used& device) {
  void* memory = clSVMAlloc(device.session.context, CL_MEM_READ_WRITE, 64, 0);
  check(clEnqueueSVMFree(
            device.session.queue, 1, &memory,
            [](cl_command_queue, cl_uint, void**, void*) { end_process(); }, nullptr, 0, nullptr,
            nullptr),
        "clEnqueueSVMFree");
  clFlush(device.session.queue);
}

// A forked child that ends in the same way; the process returns its code, once it has ended.
inline int code_of_child(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    body();
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

} // namespace heddle::hostile
