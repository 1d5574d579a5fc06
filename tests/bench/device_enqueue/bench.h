// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the benchmarks of device-side enqueue share: queues of host and device, and timings.
#pragma once

#include "tests/api/support.h"

#include <functional>
#include <string>

namespace heddle::bench {

using namespace heddle::test;

struct Bench {
  Context context = make_context();
  Queue queue = make_queue(context); // of the host
  Queue on_device;                   // the default device queue
  bool small = false;                // sizes for a test, each once
  bool lines = false;                // "name\tvalue"
  int rounds = 7;

  Bench(bool small, bool lines);
  Program build_source(const std::string& source) const;
  // The least time of a round of `work` after `prepare`, in nanoseconds.
  double least_time(const std::function<void()>& prepare, const std::function<void()>& work) const;
  void report(const std::string& name, double nanoseconds) const;
};

// Throws if the result is wrong.
void require(bool condition, const std::string& what);

void run_latency(const Bench& bench);
void run_quicksort(const Bench& bench);
void run_quadtree(const Bench& bench);
void run_breadth_first(const Bench& bench);

} // namespace heddle::bench
