// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 5 x 5 over a buffer with clamped edges.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

#include <algorithm>

namespace heddle::bench {
namespace {

const Register entry("convolution", [](Scale scale) {
  const int32_t size = scale == Scale::kFull ? 1024 : 64;
  auto w = std::make_unique<Workload>();
  w->work = "5 x 5, 1024 x 1024 floats";
  w->source = R"(
    kernel void convolve(global float* out, global const float* in, constant float* weights,
                         int width, int height) {
      int x = get_global_id(0), y = get_global_id(1);
      float sum = 0;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);
          sum += in[sy * width + sx] * weights[(dy + 2) * 5 + dx + 2];
        }
      out[y * width + x] = sum;
    })";
  const auto count = static_cast<size_t>(size) * static_cast<size_t>(size);
  const auto data = random_values<float>(count, 0, 1), mask = random_values<float>(25, -1, 1, 2);
  const auto in = w->input(data), weights = w->input(mask);
  const auto out = w->result<float>(count);
  const auto side = static_cast<size_t>(size);
  w->launch("convolve", {side, side}, {16, 16}, out, in, weights, size, size);
  w->verify = [=, &w = *w] {
    std::vector<float> expected(count);
    for (int y = 0; y != size; ++y)
      for (int x = 0; x != size; ++x)
        for (int dy = -2; dy <= 2; ++dy)
          for (int dx = -2; dx <= 2; ++dx)
            expected[y * size + x] +=
                data[std::clamp(y + dy, 0, size - 1) * size + std::clamp(x + dx, 0, size - 1)] *
                mask[(dy + 2) * 5 + dx + 2];
    return close(w.view<float>(out), expected, 1e-4, 1e-4);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
