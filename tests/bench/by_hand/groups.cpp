// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of 256 values, each independent of the others: sums, maxima, prefix sums.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>

namespace heddle::bench {
namespace {

constexpr size_t kGroup = 256, kTask = 32; // a group's values; groups a task

// body(group) for all groups.
template <typename Body>
void each_group(size_t values, const Body& body) {
  parallel(values / kGroup, kTask, [&](size_t first, size_t last) {
    for (size_t g = first; g != last; ++g)
      body(g);
  });
}

// Four chains, to hide the latency.
template <typename V, typename T, typename Combine>
auto fold_group(const T* in, Combine combine) {
  V part[4];
  for (size_t c = 0; c != 4; ++c)
    part[c] = load<V>(in + c * kLanes);
  for (size_t i = 4 * kLanes; i != kGroup; i += 4 * kLanes)
    for (size_t c = 0; c != 4; ++c)
      part[c] = combine(part[c], load<V>(in + i + c * kLanes));
  return fold(combine(combine(part[0], part[1]), combine(part[2], part[3])), combine);
}
constexpr auto kAdd = [](auto a, auto b) { return a + b; };
constexpr auto kMost = [](auto a, auto b) { return most(a, b); };

// Inclusive prefix sums within a vector: log n steps that add the value kStep lanes below.
template <size_t kStep = 1, typename V>
V scan_lanes(V v, V zero) {
  if constexpr (kStep < kLanes)
    return scan_lanes<2 * kStep>(
        v + shuffle<[](size_t l) { return l < kStep ? l : l - kStep + kLanes; }>(zero, v), zero);
  else
    return v;
}

// The vectors' sums are independent; only one addition per vector is in the dependency chain.
template <typename V, typename T>
void scan_group(T* out, const T* in) {
  V before = {}, zero = {};
  asm("" : "+x"(zero)); // known to be zeros, they make Clang expand floats, which is slow on Zen 4
  for (size_t i = 0; i != kGroup; i += kLanes) {
    const V v = scan_lanes(load<V>(in + i), zero);
    store(out + i, before + v);
    before += shuffle<[](size_t) { return kLanes - 1; }>(v);
  }
}

const ByHand reduction("reduction", [](Workload& w) {
  const auto in = w.view<const float>(0);
  const auto out = w.view<float>(1);
  return [=] {
    each_group(in.size(), [=](size_t g) { out[g] = fold_group<Floats>(&in[g * kGroup], kAdd); });
  };
});

const Prepare scan = [](Workload& w) {
  const auto in = w.view<const float>(0);
  const auto out = w.view<float>(1);
  return [=] {
    each_group(in.size(), [=](size_t g) { scan_group<Floats>(&out[g * kGroup], &in[g * kGroup]); });
  };
};
const ByHand hillis_steele("scan_hillis_steele", scan), blelloch("scan_blelloch", scan);

const ByHand local_max("atomics/local_max", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  return [=] {
    each_group(in.size(), [=](size_t g) { out[g] = fold_group<Uints>(&in[g * kGroup], kMost); });
  };
});

// The second result of the collectives is zero.
template <typename Body>
Prepare collective(Body body) {
  return [=](Workload& w) {
    const auto in = w.view<const uint32_t>(0);
    const auto out = w.view<uint32_t>(1), zeros = w.view<uint32_t>(2);
    return [=] {
      each_group(in.size(), [=](size_t g) {
        body(&out[g * kGroup], &in[g * kGroup]);
        std::fill_n(&zeros[g * kGroup], kGroup, 0);
      });
    };
  };
}
const ByHand reduce_add("work_group/reduce_add", collective([](uint32_t* out, const uint32_t* in) {
                          std::fill_n(out, kGroup, fold_group<Uints>(in, kAdd));
                        }));
const ByHand reduce_max("work_group/reduce_max", collective([](uint32_t* out, const uint32_t* in) {
                          std::fill_n(out, kGroup, fold_group<Uints>(in, kMost));
                        }));
const ByHand scan_add("work_group/scan_add", collective([](uint32_t* out, const uint32_t* in) {
                        scan_group<Uints>(out, in);
                      }));
const ByHand broadcast("work_group/broadcast", collective([](uint32_t* out, const uint32_t* in) {
                         std::fill_n(out, kGroup, in[17]);
                       }));

} // namespace
} // namespace heddle::bench
