// Code by hand for a case: registered under the case's name, in the case's file order of buffers.
#pragma once

#include "tests/bench/frame/workload.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace heddle::bench {

// Sizes are the cases' own: code here may rely on multiples of 64 where a case has only those.
// Given the workload, does what costs once (scratch memory) and returns what one run does.
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
