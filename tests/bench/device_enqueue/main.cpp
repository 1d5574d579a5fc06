// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue: the time of a link in a chain of kernels, and three algorithms that decide
// at run time how much work there is, each by device queues and from the host.
//
//   device_enqueue_bench [--lines] [--small] [--only=latency|quicksort|quadtree|breadth_first]
#include "tests/bench/device_enqueue/bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace heddle::bench {

Bench::Bench(bool is_small, bool prints_lines) : small(is_small), lines(prints_lines) {
  if (small)
    rounds = 1;
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
      CL_QUEUE_SIZE, info<cl_uint>(device(), CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 0};
  cl_int status = 1;
  on_device = Queue(clCreateCommandQueueWithProperties(context, device(), properties, &status));
  check(status, "clCreateCommandQueueWithProperties");
}

Program Bench::build_source(const std::string& source) const {
  return build(context, source, "-cl-std=CL3.0");
}

double Bench::least_time(const std::function<void()>& prepare,
                         const std::function<void()>& work) const {
  using Clock = std::chrono::steady_clock;
  auto least = std::numeric_limits<double>::max();
  for (int round = 0; round <= rounds; ++round) { // the first one warms up
    prepare();
    check(clFinish(queue), "clFinish");
    const auto start = Clock::now();
    work();
    check(clFinish(queue), "clFinish");
    const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
    if (round != 0 || rounds == 1)
      least = std::min(least, taken.count());
  }
  return least;
}

void Bench::report(const std::string& name, double nanoseconds) const {
  if (lines)
    std::printf("%s\t%.1f\n", name.c_str(), nanoseconds);
  else
    std::printf("%-44s %14.3f us\n", name.c_str(), nanoseconds / 1e3);
  std::fflush(stdout);
}

void require(bool condition, const std::string& what) {
  if (!condition)
    throw std::runtime_error("wrong result: " + what);
}

} // namespace heddle::bench

int main(int count, char** words) try {
  using namespace heddle::bench;
  bool small = false, lines = false;
  std::string_view only;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    small |= word == "--small";
    lines |= word == "--lines";
    if (word.starts_with("--only="))
      only = word.substr(7);
  }
  if (info<cl_uint>(heddle::test::device(), CL_DEVICE_MAX_ON_DEVICE_QUEUES) == 0) {
    std::puts("the device has no device queues");
    return 0;
  }
  const Bench bench(small, lines);
  const struct {
    std::string_view name;
    void (*run)(const Bench&);
  } parts[] = {{"latency", run_latency},
               {"quicksort", run_quicksort},
               {"quadtree", run_quadtree},
               {"breadth_first", run_breadth_first}};
  for (const auto& part : parts)
    if (only.empty() || only == part.name)
      part.run(bench);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
