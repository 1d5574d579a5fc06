// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All pairs of bodies, position and mass in a float4.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register entry("nbody", [](Scale scale) {
  const size_t n = scale == Scale::kFull ? 4096 : 256;
  auto w = std::make_unique<Workload>();
  w->work = "4096 bodies, all pairs";
  w->source = R"(
    kernel void nbody(global float4* acceleration, global const float4* bodies, int n, float soft) {
      float4 me = bodies[get_global_id(0)];
      float4 sum = (float4)(0);
      for (int j = 0; j < n; ++j) {
        float4 other = bodies[j];
        float4 d = other - me;
        float square = d.x * d.x + d.y * d.y + d.z * d.z + soft;
        float inverse = rsqrt(square);
        float s = other.w * inverse * inverse * inverse;
        sum += d * s;
      }
      sum.w = 0;
      acceleration[get_global_id(0)] = sum;
    })";
  const auto data = random_values<float>(n * 4, 0.1, 1);
  const auto bodies = w->input(data);
  const auto out = w->result<float>(n * 4);
  w->launch("nbody", {n}, {128}, out, bodies, static_cast<int32_t>(n), 0.01f);
  w->verify = [=, &w = *w] {
    // Checks every 16th body, to save time.
    std::vector<float> expected, got;
    const auto result = w.view<float>(out);
    for (size_t i = 0; i < n; i += 16) {
      double sum[3] = {};
      for (size_t j = 0; j != n; ++j) {
        double d[3], square = 0.01f;
        for (int c = 0; c != 3; ++c) {
          d[c] = data[4 * j + c] - data[4 * i + c];
          square += d[c] * d[c];
        }
        for (int c = 0; c != 3; ++c)
          sum[c] += d[c] * data[4 * j + 3] / (square * std::sqrt(square));
      }
      for (int c = 0; c != 4; ++c) {
        expected.push_back(c < 3 ? static_cast<float>(sum[c]) : 0);
        got.push_back(result[4 * i + c]);
      }
    }
    return close(std::span<const float>(got), expected, 1e-3, 0.5);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
