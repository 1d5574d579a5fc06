// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves, computed as floats: F16C converts whole vectors.
#include "tests/bench/by_hand/hand.h"

namespace heddle::bench {
namespace {

const Prepare axpy = [](Workload& w) {
  const auto x = w.view<const _Float16>(0), y = w.view<const _Float16>(1);
  const auto z = w.view<_Float16>(2);
  const float a = w.value<float>(0, 3);
  return [=] {
    parallel(x.size(), 1 << 14, [=](size_t first, size_t last) {
      const _Float16* __restrict px = x.data(), * __restrict py = y.data();
      _Float16* __restrict pz = z.data();
      for (size_t i = first; i < last; ++i)
        pz[i] = static_cast<_Float16>(a * static_cast<float>(px[i]) + static_cast<float>(py[i]));
    });
  };
};
const ByHand stored("half_axpy", axpy), computed("half_axpy_fp16", axpy);

} // namespace
} // namespace heddle::bench
