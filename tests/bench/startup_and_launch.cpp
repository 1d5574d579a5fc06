// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overhead of OpenCL: listing devices, first and later builds, launches. For any driver,
// through the ICD loader, without Heddle's headers.
//
//   startup_and_launch            a table
//   startup_and_launch --lines    the same as "name<TAB>microseconds", for compare_drivers
//   startup_and_launch --cached   only what is measured in a fresh process with the build in the
//   driver's cache
#include "tests/api/support.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <unistd.h>

namespace {

using namespace heddle::test;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

bool lines = false;

void row(const char* name, double microseconds) {
  if (lines)
    std::printf("%s\t%.3f\n", name, microseconds);
  else if (microseconds >= 1000)
    std::printf("%-48s %10.2f ms\n", name, microseconds / 1000);
  else
    std::printf("%-48s %10.2f us\n", name, microseconds);
  std::fflush(stdout);
}

// A small, ordinary kernel; the seed makes it unique, so that no cache has it.
std::string kernel_source(long seed) {
  return "#define SEED " + std::to_string(seed) + R"(
kernel void saxpy(global float* y, global const float* x, float a) {
  size_t i = get_global_id(0);
  float v = x[i];
  for (int n = 0; n < (SEED & 7) + 1; ++n) v = v * a + y[i];
  y[i] = v + (float)(SEED % 1000);
})";
}

struct Host {
  Context context;
  Queue queue;
  Buffer x, y;
};

double build_and_run(Host& host, long seed) {
  const auto start = Clock::now();
  const auto program = build(host.context, kernel_source(seed));
  const auto kernel = make_kernel(program, "saxpy");
  set_args(kernel, host.y, host.x, 1.5f);
  run(host.queue, kernel, {{1024}, {64}, {}});
  return since(start);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

bool maps(const char* name) {
  std::ifstream file("/proc/self/maps");
  for (std::string line; std::getline(file, line);)
    if (line.find(name) != std::string::npos)
      return true;
  return false;
}

constexpr long kCachedSeed = 4711;

void measure_launches(Host& host) {
  const auto program =
      build(host.context, "kernel void tiny(global int* x) { x[get_global_id(0)] = 1; }");
  const auto kernel = make_kernel(program, "tiny");
  const auto out = make_buffer(host.context, 64 * 4);
  set_args(kernel, out);
  const Range range{{64}, {64}, {}};
  // Until the kernel's optimized unit is there, whose build takes processor time from the launches.
  for (const auto start = Clock::now(); since(start) < 100'000;) {
    check(enqueue(host.queue, kernel, range), "enqueue");
    check(clFinish(host.queue), "clFinish");
  }
  // Calls `enqueue_one`, a callable void(queue), repeatedly, then clFinish; returns the time per
  // call.
  const auto pipelined = [&](const char* name, cl_command_queue queue, auto enqueue_one) {
    std::vector<double> samples;
    for (int round = 0; round != 10; ++round) {
      constexpr int kCount = 5000;
      const auto start = Clock::now();
      for (int i = 0; i != kCount; ++i)
        enqueue_one(queue);
      check(clFinish(queue), "clFinish");
      if (round != 0)
        samples.push_back(since(start) / kCount);
    }
    row(name, median(samples));
  };
  pipelined("launch, pipelined", host.queue,
            [&](cl_command_queue queue) { check(enqueue(queue, kernel, range), "enqueue"); });
  pipelined("launch with an event, pipelined", host.queue, [&](cl_command_queue queue) {
    Event event;
    check(enqueue(queue, kernel, range, event.out()), "enqueue");
  });
  const auto any_order = make_queue(host.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Event last;
  pipelined("launch behind the last one's event", any_order, [&](cl_command_queue queue) {
    Event event;
    std::vector<cl_event> waits;
    if (last)
      waits.push_back(last);
    check(enqueue(queue, kernel, range, event.out(), waits), "enqueue");
    last = std::move(event);
  });
  const cl_int values[16] = {};
  pipelined("write of 64 bytes, pipelined", host.queue, [&](cl_command_queue queue) {
    check(clEnqueueWriteBuffer(queue, out, CL_FALSE, 0, sizeof values, values, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  });
  std::vector<double> samples;
  for (int i = 0; i != 3000; ++i) {
    const auto start = Clock::now();
    check(enqueue(host.queue, kernel, range), "enqueue");
    check(clFinish(host.queue), "clFinish");
    samples.push_back(since(start));
  }
  row("launch and wait", median(samples));
}

// Two commands of one work-group each: the time of both relative to one; 1 is perfect overlap, 2
// none.
void measure_overlap(Host& host) {
  const auto program = build(host.context, R"(
    kernel void slow(global uint* out, uint rounds) {
      uint x = 1;
      for (uint i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u + (x >> 7);
      out[get_global_id(0)] = x;
    })");
  const auto one = make_kernel(program, "slow"), two = make_kernel(program, "slow");
  const auto a = make_buffer(host.context, 64), b = make_buffer(host.context, 64);
  const auto queue = make_queue(host.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  set_args(one, a, cl_uint{20000000});
  set_args(two, b, cl_uint{20000000});
  const auto timed = [&](bool both) {
    const auto start = Clock::now();
    check(enqueue(queue, one, {{1}, {1}, {}}), "enqueue");
    if (both)
      check(enqueue(queue, two, {{1}, {1}, {}}), "enqueue");
    check(clFinish(queue), "clFinish");
    return since(start);
  };
  timed(true);
  std::vector<double> alone, together;
  for (int i = 0; i != 7; ++i) {
    alone.push_back(timed(false));
    together.push_back(timed(true));
  }
  row("one long command", median(alone));
  row("two independent long commands at once", median(together));
}

void measure(bool cached) {
  const auto start = Clock::now();
  device();
  row(cached ? "listing devices (cached run)" : "listing devices", since(start));
  Host host;
  host.context = make_context();
  host.queue = make_queue(host.context);
  const std::vector<float> zeros(1024);
  host.x = make_buffer(host.context, 4096, zeros.data());
  host.y = make_buffer(host.context, 4096, zeros.data());
  if (cached) {
    row("cached build in a fresh process, source to result", build_and_run(host, kCachedSeed));
    row("start of the process to result, cached", since(start));
    if (maps("libheddle"))
      std::fprintf(stderr, "libheddle-compiler.so is %s\n",
                   maps("libheddle-compiler") ? "mapped" : "not mapped");
    return;
  }
  const long seed = static_cast<long>(getpid()) * 1000 + time(nullptr) % 1000 * 1000003;
  row("first cold build, source to result", build_and_run(host, seed));
  row("start of the process to first result", since(start));
  std::vector<double> later;
  for (int i = 1; i <= 20; ++i)
    later.push_back(build_and_run(host, seed + i));
  row("later cold build, source to result", median(later));
  build_and_run(host, kCachedSeed); // for the next process
  measure_launches(host);
  measure_overlap(host);
}

} // namespace

int main(int argc, char** argv) {
  bool cached = false;
  for (int i = 1; i < argc; ++i) {
    lines = lines || std::strcmp(argv[i], "--lines") == 0;
    cached = cached || std::strcmp(argv[i], "--cached") == 0;
  }
  try {
    measure(cached);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  if (!cached) { // a process whose build is in the cache: this program again
    std::fflush(stdout);
    execl("/proc/self/exe", argv[0], "--cached", lines ? "--lines" : nullptr, nullptr);
  }
  return 0;
}
