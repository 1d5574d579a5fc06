// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five points, the border copied.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

const Register entry("stencil", [](Scale scale) {
  const size_t size = scale == Scale::kFull ? 1024 : 64;
  auto w = std::make_unique<Workload>();
  w->work = "5 points, 1024 x 1024 floats";
  w->source = R"(
    kernel void stencil(global float* out, global const float* in, int width, int height) {
      int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
      if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[i] = in[i];
        return;
      }
      out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
    })";
  const auto data = random_values<float>(size * size, 0, 1);
  const auto in = w->input(data);
  const auto out = w->result<float>(size * size);
  const auto side = static_cast<int32_t>(size);
  w->launch("stencil", {size, size}, {64, 4}, out, in, side, side);
  w->verify = [=, &w = *w] {
    auto expected = data;
    for (size_t y = 1; y + 1 < size; ++y)
      for (size_t x = 1; x + 1 < size; ++x) {
        const size_t i = y * size + x;
        expected[i] =
            0.5f * data[i] + 0.125f * (data[i - 1] + data[i + 1] + data[i - size] + data[i + size]);
      }
    return close(w.view<float>(out), expected, 1e-5, 1e-6);
  };
  return w;
});

} // namespace
} // namespace heddle::bench
