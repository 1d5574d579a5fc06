// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nearest of 16 centers for points of 8 features, stored feature by feature.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register entry("kmeans", [](Scale scale) {
  const uint32_t n = scale == Scale::kFull ? 1 << 17 : 1 << 10, centres = 16, features = 8;
  auto w = std::make_unique<Workload>();
  w->work = "128 Ki points, 8 features, 16 centres";
  w->source = R"(
    kernel void assign(global uint* labels, global const float* points,
                       global const float* centres, uint n, uint count, uint features) {
      uint i = get_global_id(0), label = 0;
      float least = INFINITY;
      for (uint c = 0; c < count; ++c) {
        float distance = 0;
        for (uint f = 0; f < features; ++f) {
          float d = points[f * n + i] - centres[c * features + f];
          distance += d * d;
        }
        if (distance < least) {
          least = distance;
          label = c;
        }
      }
      labels[i] = label;
    })";
  const auto ps = random_values<float>(size_t{n} * features, 0, 1),
             cs = random_values<float>(size_t{centres} * features, 0, 1, 2);
  const auto p = w->input(ps), c = w->input(cs);
  const auto labels = w->result<uint32_t>(n);
  w->launch("assign", {n}, {256}, labels, p, c, n, centres, features);
  w->verify = [=, &w = *w]() -> std::string {
    const auto got = w.view<uint32_t>(labels);
    for (size_t i = 0; i != n; ++i) {
      double least = 1e30, chosen = 1e30;
      for (size_t k = 0; k != centres; ++k) {
        double distance = 0;
        for (size_t f = 0; f != features; ++f) {
          const double d = ps[f * n + i] - cs[k * features + f];
          distance += d * d;
        }
        least = std::min(least, distance);
        if (k == got[i])
          chosen = distance;
      }
      if (!(chosen <= least * (1 + 1e-5))) // rounding may decide between two that are as near
        return "point " + std::to_string(i) + " is nearer to another centre";
    }
    return {};
  };
  return w;
});

} // namespace
} // namespace heddle::bench
