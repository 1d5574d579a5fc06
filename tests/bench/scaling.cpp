// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of the scheduler: processor time and wall time of a launch and of a work-group of a
// trivial kernel. Any driver, through the ICD loader; `scaling` runs it for several numbers of
// threads.
//
//   scaling_bench [--small]    name<TAB>wall ns<TAB>processor ns
#include "tests/api/support.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <stdexcept>

namespace {

using namespace heddle::test;

struct Cost {
  double wall = 0;
  double processor = 0;
  Cost operator-(const Cost& other) const {
    return {wall - other.wall, processor - other.processor};
  }
  Cost operator/(double count) const { return {wall / count, processor / count}; }
};

Cost now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double, std::nano>(wall).count(),
          1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec)};
}

// The median over rounds, by wall time.
Cost measure(int rounds, double count, const std::function<void()>& run) {
  run();
  std::vector<Cost> costs;
  for (int i = 0; i != rounds; ++i) {
    const auto start = now();
    run();
    costs.push_back((now() - start) / count);
  }
  std::nth_element(costs.begin(), costs.begin() + rounds / 2, costs.end(),
                   [](const Cost& a, const Cost& b) { return a.wall < b.wall; });
  return costs[static_cast<size_t>(rounds) / 2];
}

void row(const char* name, const Cost& cost) {
  std::printf("%s\t%.1f\t%.1f\n", name, cost.wall, cost.processor);
  std::fflush(stdout);
}

void measure_all(bool small) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void nothing(global int* x) { if (get_group_id(0) == 0x7fffffff) x[0] = 1; }
    kernel void work(global uint* x, uint rounds) {
      uint v = get_group_id(0);
      for (uint i = 0; i < rounds; ++i) v = v * 1664525u + 1013904223u;
      x[get_global_id(0)] = v;
    })");
  const auto out = make_buffer(context, 4 << 20);
  const auto nothing = make_kernel(program, "nothing");
  set_args(nothing, out);
  const int launches = small ? 100 : 5000, rounds = small ? 3 : 15;
  const auto finish = [&] { check(clFinish(queue), "clFinish"); };

  row("launch of one group, pipelined", measure(rounds, launches, [&] {
        for (int i = 0; i != launches; ++i)
          check(enqueue(queue, nothing, {{1}, {1}, {}}), "enqueue");
        finish();
      }));
  row("launch of one group, and wait", measure(rounds, launches, [&] {
        for (int i = 0; i != launches; ++i) {
          check(enqueue(queue, nothing, {{1}, {1}, {}}), "enqueue");
          finish();
        }
      }));
  const size_t groups = small ? 10000 : 4000000;
  row("one of four million groups", measure(rounds, static_cast<double>(groups), [&] {
        check(enqueue(queue, nothing, {{groups}, {1}, {}}), "enqueue");
        finish();
      }));
  // Long enough that all threads participate; reports the time in excess of the work itself.
  const auto work = make_kernel(program, "work");
  constexpr size_t kShared = 1024;
  for (const cl_uint length : {cl_uint{1000}, cl_uint{10000}}) {
    set_args(work, out, length);
    const int count = small ? 2 : 100;
    row(length == 1000 ? "launch of 1024 groups of 1 us, and wait"
                       : "launch of 1024 groups of 10 us, and wait",
        measure(rounds / 3, count, [&] {
          for (int i = 0; i != count; ++i) {
            check(enqueue(queue, work, {{kShared}, {1}, {}}), "enqueue");
            finish();
          }
        }));
  }
}

} // namespace

int main(int argc, char** argv) {
  try {
    measure_all(argc > 1 && std::strcmp(argv[1], "--small") == 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
