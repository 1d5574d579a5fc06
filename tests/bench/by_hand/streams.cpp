// Copies and sums that memory bounds.
#include "tests/bench/by_hand/hand.h"

#include <cstring>

namespace heddle::bench {
namespace {

const ByHand copy("copy", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  return [=] {
    parallel(in.size(), 1 << 16, [=](size_t first, size_t last) {
      std::memcpy(&out[first], &in[first], (last - first) * sizeof(uint32_t));
    });
  };
});

const Prepare saxpy = [](Workload& w) {
  const auto x = w.view<const float>(0), y = w.view<const float>(1);
  const auto z = w.view<float>(2);
  const float a = w.value<float>(0, 3);
  return [=] {
    const auto body = [=](size_t first, size_t last) {
      const float* __restrict px = x.data(), * __restrict py = y.data();
      float* __restrict pz = z.data();
      for (size_t i = first; i < last; ++i)
        pz[i] = a * px[i] + py[i];
    };
    if (x.size() <= 1 << 14) // not worth a second thread
      body(0, x.size());
    else
      parallel(x.size(), 1 << 15, body);
  };
};
const ByHand saxpy_small("saxpy_small", saxpy), saxpy_large("saxpy_large", saxpy);

} // namespace
} // namespace heddle::bench
