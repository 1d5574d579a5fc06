// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain of dependent operations of a different length for each work-item; the driver chooses the
// local size.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/workload.h"

namespace heddle::bench {
namespace {

int iterations(float cr, float ci, int most) {
  float x = 0, y = 0;
  int i = 0;
  for (; i < most && x * x + y * y <= 4.0f; ++i) {
    const float t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
  }
  return i;
}

const Register entry("mandelbrot", [](Scale scale) {
  const size_t size = scale == Scale::kFull ? 512 : 64;
  const int32_t most = 256;
  auto w = std::make_unique<Workload>();
  w->work = "512 x 512, at most 256 steps";
  w->source = R"(
    kernel void mandelbrot(global int* out, int width, int height, int most) {
      int px = get_global_id(0), py = get_global_id(1);
      float cr = px * (3.0f / width) - 2.25f, ci = py * (2.5f / height) - 1.25f;
      float x = 0, y = 0;
      int i = 0;
      while (i < most && x * x + y * y <= 4.0f) {
        float t = x * x - y * y + cr;
        y = 2 * x * y + ci;
        x = t;
        ++i;
      }
      out[py * width + px] = i;
    })";
  const auto out = w->result<int32_t>(size * size);
  const auto side = static_cast<int32_t>(size);
  w->launch("mandelbrot", {size, size}, {}, out, side, side, most);
  w->verify = [=, &w = *w] {
    // Where the orbit is chaotic, contraction and rounding decide; few pixels may differ.
    const auto got = w.view<int32_t>(out);
    size_t different = 0;
    for (size_t i = 0; i != got.size(); ++i) {
      const float cr = static_cast<float>(i % size) * (3.0f / static_cast<float>(size)) - 2.25f;
      const float ci = static_cast<float>(i / size) * (2.5f / static_cast<float>(size)) - 1.25f;
      different += got[i] != iterations(cr, ci, most);
    }
    return different * 50 <= got.size() ? std::string()
                                        : std::to_string(different) + " pixels differ";
  };
  return w;
});

} // namespace
} // namespace heddle::bench
