// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the device's compute units, its share of the last-level cache, the processors that the
// process may use and those that its threads may use while a kernel runs on all of them:
//
//   units 2
//   cache 33554432
//   processors 0 1
//   threads 0 1
#include "tests/api/support.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <sched.h>
#include <set>
#include <string>
#include <thread>

using namespace heddle::test;

static void add_processors(std::set<int>& cpus, int thread) {
  cpu_set_t set;
  if (sched_getaffinity(thread, sizeof set, &set) != 0)
    return; // it has just ended
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set))
      cpus.insert(cpu);
}

static void print(const char* name, const std::set<int>& cpus) {
  std::printf("%s", name);
  for (const int cpu : cpus)
    std::printf(" %d", cpu);
  std::printf("\n");
}

static void look() {
  std::set<int> own, all;
  add_processors(own, 0);
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void burn(global uint* x) {
      uint v = get_global_id(0);
      for (uint i = 0; i < 20000; ++i)
        v = v * 1664525u + 1013904223u;
      x[get_global_id(0)] = v;
    })");
  const auto kernel = make_kernel(program, "burn");
  const auto buffer = make_buffer(context, 4 << 16);
  set_args(kernel, buffer);
  for (int launch = 0; launch < 4; ++launch)
    check(enqueue(queue, kernel, {{1 << 16}, {64}, {}}), "enqueue");
  check(clFlush(queue), "clFlush");
  for (int look = 0; look < 20; ++look) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
      add_processors(all, std::stoi(task.path().filename()));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  check(clFinish(queue), "clFinish");
  std::printf(
      "units %u\ncache %llu\n", info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS),
      static_cast<unsigned long long>(info<cl_ulong>(device(), CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)));
  print("processors", own);
  print("threads", all);
}

int main() {
  try {
    look();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
