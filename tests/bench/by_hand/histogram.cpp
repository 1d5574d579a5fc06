// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters: a private set for each thread, summed at the end; atomics only for shared memory.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace heddle::bench {
namespace {

// Several alternating tables if equal values often follow each other: otherwise they would wait for
// each other's store.
template <size_t kBins, size_t kTables>
using Counts = std::array<std::array<uint32_t, kBins>, kTables>;

template <size_t kBins, size_t kTables>
struct Histogram {
  using Tables = Counts<kBins, kTables>;
  tbb::enumerable_thread_specific<Tables> threads{[] { return Tables(); }};

  // count(counts, first, last) counts elements [first, last); the sums are stored to `bins`, and
  // the threads' counts are reset to zero.
  template <typename Count>
  void run(std::span<uint32_t> bins, size_t size, size_t grain, const Count& count) {
    parallel(size, grain, [&](size_t first, size_t last) { count(threads.local(), first, last); });
    std::ranges::fill(bins, 0);
    for (auto& counts : threads)
      for (auto& table : counts)
        for (size_t i = 0; i != kBins; ++i) {
          bins[i] += table[i];
          table[i] = 0;
        }
  }
};

const ByHand local("histogram_local", [](Workload& w) {
  const auto in = w.view<const uint8_t>(0);
  const auto bins = w.view<uint32_t>(1);
  const auto histogram = std::make_shared<Histogram<256, 4>>();
  return [=] {
    const auto count = [in](auto& counts, size_t first, size_t last) {
      for (size_t i = first * 8; i != last * 8; i += 8) {
        const auto bytes = load<uint64_t>(&in[i]);
        for (size_t b = 0; b != 8; ++b)
          ++counts[b % counts.size()][bytes >> 8 * b & 0xFF];
      }
    };
    histogram->run(bins, in.size() / 8, 1 << 14, count);
  };
});

const ByHand global("histogram_global", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto bins = w.view<uint32_t>(1);
  constexpr uint32_t kBins = 4096;
  const auto histogram = std::make_shared<Histogram<kBins, 1>>();
  return [=] {
    histogram->run(bins, in.size(), 1 << 15, [in](auto& counts, size_t first, size_t last) {
      for (size_t i = first; i != last; ++i)
        ++counts[0][in[i] % kBins];
    });
  };
});

const ByHand one_counter("atomics/one_counter", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  return [=] {
    out[0] = 0;
    parallel(in.size(), 1 << 14, [=](size_t first, size_t last) {
      uint32_t odd = 0;
      for (size_t i = first; i != last; ++i)
        odd += in[i] & 1;
      std::atomic_ref(out[0]).fetch_add(odd, std::memory_order_relaxed);
    });
  };
});

// The case measures two atomic operations on each counter, so they are not replaced.
const ByHand spread("atomics/spread", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  return [=] {
    parallel(out.size(), 1 << 14, [=](size_t first, size_t last) {
      std::fill(&out[first], &out[first] + (last - first), 0);
      for (size_t i = first; i != last; ++i) {
        const std::atomic_ref counter(out[i]);
        counter.fetch_add(in[i], std::memory_order_relaxed);
        counter.fetch_xor(0x5555u, std::memory_order_relaxed);
      }
    });
  };
});

} // namespace
} // namespace heddle::bench
