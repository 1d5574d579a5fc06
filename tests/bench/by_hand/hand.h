// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hand-written code for a case, registered under the case's name, with the buffers in the case's
// order.
#pragma once

#include "tests/bench/frame/workload.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace heddle::bench {

// Sizes are those of the cases: code may rely on multiples of 64 if a case has only those. Prepares
// the workload (scratch memory) and returns the function that executes a run.
using Prepare = std::function<std::function<void()>(Workload&)>;

struct ByHand {
  ByHand(const char* name, Prepare prepare);
};

// body(first, last) over [0, count) on all threads, in pieces of at least `grain`.
template <typename Body>
void parallel(size_t count, size_t grain, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<size_t>(0, count, grain),
                    [&](const auto& range) { body(range.begin(), range.end()); });
}

} // namespace heddle::bench
