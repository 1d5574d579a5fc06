// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and sums that are bound by memory. Results larger than the caches use non-temporal stores,
// which avoids reading the overwritten lines.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

namespace heddle::bench {
namespace {

constexpr size_t kBlock = 1 << 15; // elements a task

const ByHand copy("copy", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  return [=] {
    parallel(in.size(), kBlock, [=](size_t first, size_t last) {
      size_t i = first;
      for (; i != last && reinterpret_cast<uintptr_t>(&out[i]) % kVectorBytes; ++i)
        out[i] = in[i];
      for (; i + kLanes <= last; i += kLanes)
        stream(&out[i], load<Floats>(&in[i]));
      for (; i != last; ++i)
        out[i] = in[i];
      _mm_sfence();
    });
  };
});

const Prepare saxpy = [](Workload& w) {
  const auto x = w.view<const float>(0), y = w.view<const float>(1);
  const auto z = w.view<float>(2);
  const float a = w.value<float>(0, 3);
  return [=] {
    if (x.size() <= 1 << 14) { // too small for a second thread
      const float* __restrict px = x.data(), * __restrict py = y.data();
      float* __restrict pz = z.data();
      for (size_t i = 0; i != x.size(); ++i)
        pz[i] = a * px[i] + py[i];
      return;
    }
    parallel(x.size(), kBlock, [=](size_t first, size_t last) {
      size_t i = first;
      for (; i != last && reinterpret_cast<uintptr_t>(&z[i]) % kVectorBytes; ++i)
        z[i] = a * x[i] + y[i];
      for (; i + kLanes <= last; i += kLanes)
        stream(&z[i], a * load<Floats>(&x[i]) + load<Floats>(&y[i]));
      for (; i != last; ++i)
        z[i] = a * x[i] + y[i];
      _mm_sfence();
    });
  };
};
const ByHand saxpy_small("saxpy_small", saxpy), saxpy_large("saxpy_large", saxpy);

} // namespace
} // namespace heddle::bench
