// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float4 in memory: all pairs of bodies with one body per lane, and directions that stay in float4
// layout, four per 512-bit register.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <vector>

namespace heddle::bench {
namespace {

struct Body {
  float x, y, z, mass;
};

// `count` vectors of bodies share the loads of the other body.
template <size_t kCount>
void accelerate(float* out, const Body* me, const Body* bodies, size_t n, float soft) {
  Floats x[kCount], y[kCount], z[kCount], ax[kCount] = {}, ay[kCount] = {}, az[kCount] = {};
  for (size_t v = 0; v != kCount; ++v)
    for (size_t l = 0; l != kLanes; ++l) {
      x[v][l] = me[v * kLanes + l].x;
      y[v][l] = me[v * kLanes + l].y;
      z[v][l] = me[v * kLanes + l].z;
    }
  for (size_t j = 0; j != n; ++j) {
    const Body other = bodies[j];
#pragma GCC unroll 4
    for (size_t v = 0; v != kCount; ++v) {
      const Floats dx = other.x - x[v], dy = other.y - y[v], dz = other.z - z[v];
      const Floats square = dx * dx + (dy * dy + (dz * dz + soft));
      // With square * r * r = 1 - e, square to the power of -3/2 is r * r * r * (1 + 3/2 e + ...).
      const Floats r = estimate_rsqrt(square), r2 = r * r, e = 1.0f - square * r2;
      const Floats s = other.mass * r * r2 * (1.0f + 1.5f * e);
      ax[v] += dx * s;
      ay[v] += dy * s;
      az[v] += dz * s;
    }
  }
  for (size_t v = 0; v != kCount; ++v)
    for (size_t l = 0; l != kLanes; ++l) {
      const float a[4] = {ax[v][l], ay[v][l], az[v][l], 0};
      std::memcpy(out + 4 * (v * kLanes + l), a, sizeof a);
    }
}

const ByHand nbody("nbody", [](Workload& w) {
  const auto bodies = w.view<const Body>(0);
  const auto out = w.view<float>(1);
  const float soft = w.value<float>(0, 3);
  return [=] {
    constexpr size_t kTogether = kVectorBytes == 64 ? 2 : 1;
    parallel(bodies.size() / kLanes, 2 * kTogether, [=](size_t first, size_t last) {
      for (; first + kTogether <= last; first += kTogether)
        accelerate<kTogether>(&out[4 * first * kLanes], &bodies[first * kLanes], bodies.data(),
                              bodies.size(), soft);
      for (; first != last; ++first)
        accelerate<1>(&out[4 * first * kLanes], &bodies[first * kLanes], bodies.data(),
                      bodies.size(), soft);
    });
  };
});

// The sum of each four lanes, in all four.
Floats sum_of_four(Floats v) {
  v += shuffle<[](size_t l) { return l ^ 1; }>(v);
  return v + shuffle<[](size_t l) { return l ^ 2; }>(v);
}

const ByHand reflect("aos_float4", [](Workload& w) {
  const auto a = w.view<const float>(0), b = w.view<const float>(1);
  const auto out = w.view<float>(2);
  return [=] {
    parallel(a.size() / kLanes, 1 << 10, [=](size_t first, size_t last) {
      for (size_t i = first * kLanes; i != last * kLanes; i += kLanes) {
        const auto v = load<Floats>(&a[i]), n = load<Floats>(&b[i]);
        Floats r = v - n * (2.0f * sum_of_four(v * n));
        r = r * 0.75f + 0.25f * shuffle<[](size_t l) { return (l & ~3) | ((l + 1) & 3); }>(v);
        store(&out[i], r * rsqrt(sum_of_four(r * r) + 1e-6f));
      }
    });
  };
});

} // namespace
} // namespace heddle::bench
