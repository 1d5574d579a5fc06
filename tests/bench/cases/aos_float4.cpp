// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float4 per work-item: reflects one array of directions at another, then normalizes.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register entry("aos_float4", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 1 << 18 : 1 << 10;
  auto w = std::make_unique<Workload>();
  w->work = "256 Ki float4";
  w->source = R"(
    kernel void reflect(global float4* out, global const float4* a, global const float4* b) {
      size_t i = get_global_id(0);
      float4 v = a[i], n = b[i];
      float4 r = v - n * (2.0f * dot(v, n));
      r = r * 0.75f + v.yzwx * 0.25f;
      out[i] = r * rsqrt(dot(r, r) + 1e-6f);
    })";
  const auto as = random_values<float>(4 * n, -1, 1), bs = random_values<float>(4 * n, -1, 1, 2);
  const auto a = w->input(as), b = w->input(bs);
  const auto out = w->result<float>(4 * n);
  w->launch("reflect", {n}, {128}, out, a, b);
  w->verify = [=, &w = *w] {
    std::vector<float> expected(4 * n);
    for (size_t i = 0; i != n; ++i) {
      const float *v = &as[4 * i], *m = &bs[4 * i];
      double dot = 0, square = 1e-6, r[4];
      for (int c = 0; c != 4; ++c)
        dot += v[c] * m[c];
      for (int c = 0; c != 4; ++c) {
        r[c] = (v[c] - m[c] * 2 * dot) * 0.75 + v[(c + 1) % 4] * 0.25;
        square += r[c] * r[c];
      }
      for (int c = 0; c != 4; ++c)
        expected[4 * i + c] = static_cast<float>(r[c] / std::sqrt(square));
    }
    return close(w.view<float>(out), expected, 1e-3, 1e-4);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
