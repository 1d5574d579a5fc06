// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses contexts, queues, programs, kernels, events, sub-devices, maps, callbacks and failures,
// releases everything, and exits normally: for leak checkers.
//
//   everything_once            once
//   everything_once ROUNDS     that many times; fails if commands leak memory
#include "tests/api/support.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <stdexcept>
#include <thread>

using namespace heddle::test;

namespace {

const char* const kSource = R"(
  global int counter = 5;
  kernel void fill(global int* out, int value) { out[get_global_id(0)] = value + counter; }
  kernel void turn(global int* data, local int* tile) {
    tile[get_local_id(0)] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];
  }
  kernel void say(global int* out) { if (get_global_id(0) == 99999) printf("%d\n", out[0]); })";

void expect(bool right, const char* what) {
  if (!right)
    throw std::runtime_error(what);
}

void use_queue(cl_context context, cl_program program, cl_command_queue queue) {
  const auto buffer = make_buffer(context, 1 << 16);
  const auto fill = make_kernel(program, "fill"), turn = make_kernel(program, "turn"),
             say = make_kernel(program, "say");
  set_args(fill, buffer, 7);
  set_args(turn, buffer, Local{256});
  set_args(say, buffer);
  cl_int error = 0;
  Event gate(clCreateUserEvent(context, &error));
  check(error, "clCreateUserEvent");
  std::vector<Event> events;
  std::vector<cl_event> list{gate};
  for (int i = 0; i != 20; ++i) {
    events.emplace_back();
    check(enqueue(queue,
                  i % 3 == 0   ? fill
                  : i % 3 == 1 ? turn
                               : say,
                  {{4096}, {64}, {}}, events.back().out(), list),
          "enqueue");
    list.push_back(events.back());
  }
  std::atomic<int> told{0};
  check(clSetEventCallback(
            events.back(), CL_COMPLETE,
            [](cl_event, cl_int, void* to) { ++*static_cast<std::atomic<int>*>(to); }, &told),
        "clSetEventCallback");
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clFinish(queue), "clFinish");
  for (int i = 0; i != 20'000 && told == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  expect(told == 1, "the callback did not come");

  // Dependents of a failure, and one whose event is not kept.
  Event bad(clCreateUserEvent(context, &error)), after;
  check(enqueue(queue, fill, {{64}, {64}, {}}, after.out(), {bad}), "enqueue");
  check(enqueue(queue, fill, {{64}, {64}, {}}, nullptr, {after}), "enqueue");
  check(clSetUserEventStatus(bad, -1), "clSetUserEventStatus");
  check(clFinish(queue), "clFinish");
  expect(event_status(after) < 0, "a command behind a failed event ran");

  auto* mapped = static_cast<cl_int*>(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0,
                                                         4096, 0, nullptr, nullptr, &error));
  check(error, "clEnqueueMapBuffer");
  mapped[0] = 1;
  check(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), "unmap");
  check(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), "barrier");
  check(enqueue(queue, fill, {{4096}, {64}, {}}), "enqueue");
  check(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), "barrier");
  expect(read<cl_int>(queue, buffer, 1)[0] == 12, "wrong result");
  // Left to themselves, the queue too. All 500 wait at once: what pools of commands keep is then
  // the same after every round, however fast the threads are.
  Event start(clCreateUserEvent(context, &error));
  for (int i = 0; i != 500; ++i)
    check(enqueue(queue, say, {{64}, {64}, {}}, nullptr, {start}), "enqueue");
  check(clSetUserEventStatus(start, CL_COMPLETE), "clSetUserEventStatus");
  check(clFlush(queue), "clFlush");
}

void use_everything() {
  const auto context = make_context();
  {
    const auto broken = make_program(context, "kernel void f() { nonsense }");
    const auto d = device();
    expect(clBuildProgram(broken, 1, &d, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE,
           "nonsense was built");
  }
  const auto program = build(context, kSource, "-cl-std=CL3.0");
  const auto in_order = make_queue(context, CL_QUEUE_PROFILING_ENABLE);
  const auto any_order = make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  use_queue(context, program, in_order);
  use_queue(context, program, any_order);
  std::thread([&] { use_queue(context, program, in_order); }).join();
  if (info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS) < 2)
    return;
  const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  check(clCreateSubDevices(device(), by_one, 0, nullptr, &count), "clCreateSubDevices");
  std::vector<Device> parts(count);
  std::vector<cl_device_id> handles(count);
  check(clCreateSubDevices(device(), by_one, count, handles.data(), nullptr), "clCreateSubDevices");
  for (cl_uint i = 0; i != count; ++i)
    parts[i] = Device(handles[i]);
  cl_int error = 0;
  const Context other(clCreateContext(nullptr, 1, parts[0].address(), nullptr, nullptr, &error));
  check(error, "clCreateContext");
  const Queue queue(clCreateCommandQueueWithProperties(other, parts[0], nullptr, &error));
  check(error, "clCreateCommandQueueWithProperties");
  const auto buffer = make_buffer(other, 4096);
  const cl_int one = 1;
  check(clEnqueueFillBuffer(queue, buffer, &one, 4, 0, 4096, 0, nullptr, nullptr), "fill");
  expect(read<cl_int>(queue, buffer, 1)[0] == 1, "wrong result on a sub-device");
}

std::size_t bytes_in_use() {
  // Released objects may not be destroyed yet, because threads are still finishing.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return mallinfo2().uordblks + mallinfo2().hblkhd;
}

} // namespace

int main(int argc, char** argv) try {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  std::size_t before = 0;
  for (int i = 0; i != rounds; ++i) {
    use_everything();
    if (i == rounds / 2)
      before = bytes_in_use();
  }
  if (rounds < 4)
    return 0;
  const auto grown = static_cast<long>(bytes_in_use()) - static_cast<long>(before);
  const long a_round = grown / (rounds - rounds / 2 - 1);
  std::printf("%ld bytes more in use after %d rounds, %ld a round\n", grown,
              rounds - rounds / 2 - 1, a_round);
  return a_round > 8192; // what pools keep, and malloc's own ways, make less than this
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
