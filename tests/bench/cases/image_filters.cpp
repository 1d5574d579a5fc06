// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters of images whose reads are nearest, at coordinates that are affine in the work-item's id.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/pictures.h"

#include <cmath>

namespace heddle::bench {
namespace {

PictureSize square(int size, int channels) { return {size, size, 0, channels}; }

std::unique_ptr<Workload> convolution(Scale scale, bool uses_images, bool has_bytes, int channels) {
  const auto size = square(scale == Scale::kFull ? 1024 : 64, channels);
  auto made = std::make_unique<PictureWorkload>(uses_images, has_bytes, channels);
  auto* w = made.get();
  w->work = "5 x 5, 1024 x 1024 of " + std::string(has_bytes ? "RGBA8" : "R32F");
  w->source += R"(
    kernel void convolve(OUT(to), IN(from), constant float* weights) {
      const int x = get_global_id(0), y = get_global_id(1);
      Pixel sum = 0;
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
          sum += LOAD(from, x + dx, y + dy) * weights[(dy + 2) * 5 + dx + 2];
      STORE(to, x, y, sum);
    })";
  const auto mask = random_values<float>(25, 0, 0.08, 2);
  const auto from = w->input_picture(size, 1), to = w->result_picture(size);
  w->launch("convolve", size.range(), {16, 16}, to, from, w->input(mask));
  w->verify = [=] {
    const Values in{size, w->values(from)};
    return w->compare(to, each_value(size, [&](int x, int y, int c) {
                        float sum = 0;
                        for (int dy = -2; dy <= 2; ++dy)
                          for (int dx = -2; dx <= 2; ++dx)
                            sum += in(x + dx, y + dy, c) *
                                   mask[static_cast<size_t>((dy + 2) * 5 + dx + 2)];
                        return sum;
                      }));
  };
  return made;
}
const RegisterPictures rgba8("image_convolve_rgba8", [](Scale scale, bool uses_images) {
  return convolution(scale, uses_images, true, 4);
});
const RegisterPictures r32f("image_convolve_r32f", [](Scale scale, bool uses_images) {
  return convolution(scale, uses_images, false, 1);
});

const RegisterPictures box_blur("image_box_blur", [](Scale scale, bool uses_images) {
  const auto size = square(scale == Scale::kFull ? 1024 : 64, 4);
  auto made = std::make_unique<PictureWorkload>(uses_images, true, 4);
  auto* w = made.get();
  w->work = "9 x 9 in two passes, 1024 x 1024 of RGBA8";
  w->source += R"(
    kernel void rows(OUT(to), IN(from)) {
      const int x = get_global_id(0), y = get_global_id(1);
      Pixel sum = 0;
      for (int d = -4; d <= 4; ++d)
        sum += LOAD(from, x + d, y);
      STORE(to, x, y, sum * (1 / 9.0f));
    }
    kernel void columns(OUT(to), IN(from)) {
      const int x = get_global_id(0), y = get_global_id(1);
      Pixel sum = 0;
      for (int d = -4; d <= 4; ++d)
        sum += LOAD(from, x, y + d);
      STORE(to, x, y, sum * (1 / 9.0f));
    })";
  const auto from = w->input_picture(size, 1), to = w->result_picture(size);
  const auto between = w->result_picture(size);
  w->launch("rows", size.range(), {64, 4}, between, from);
  w->launch("columns", size.range(), {64, 4}, to, between);
  w->verify = [=] {
    const Values in{size, w->values(from)};
    const Values rows{size, each_value(size, [&](int x, int y, int c) {
                        float sum = 0;
                        for (int d = -4; d <= 4; ++d)
                          sum += in(x + d, y, c);
                        return std::nearbyint(sum / 9 * 255) / 255;
                      })};
    return w->compare(to, each_value(size, [&](int x, int y, int c) {
                        float sum = 0;
                        for (int d = -4; d <= 4; ++d)
                          sum += rows(x, y + d, c);
                        return sum / 9;
                      }));
  };
  return made;
});

// Each pixel is a mean of those around it, weighted by how similar their surroundings are.
const RegisterPictures nlmeans("image_nlmeans", [](Scale scale, bool uses_images) {
  const auto size = square(scale == Scale::kFull ? 256 : 16, 1);
  auto made = std::make_unique<PictureWorkload>(uses_images, false, 1);
  auto* w = made.get();
  w->work = "7 x 7 patches of 3 x 3, 256 x 256 of R32F";
  w->source += R"(
    kernel void denoise(OUT(to), IN(from), float strength) {
      const int x = get_global_id(0), y = get_global_id(1);
      float sum = 0, weights = 0;
      for (int j = -3; j <= 3; ++j)
        for (int i = -3; i <= 3; ++i) {
          float distance = 0;
          for (int v = -1; v <= 1; ++v)
            for (int u = -1; u <= 1; ++u) {
              const float d = LOAD(from, x + u, y + v) - LOAD(from, x + i + u, y + j + v);
              distance += d * d;
            }
          const float weight = native_exp(-distance * strength);
          sum += weight * LOAD(from, x + i, y + j);
          weights += weight;
        }
      STORE(to, x, y, sum / weights);
    })";
  const auto from = w->input_picture(size, 1), to = w->result_picture(size);
  w->launch("denoise", size.range(), {16, 16}, to, from, 0.5f);
  w->verify = [=] {
    const Values in{size, w->values(from)};
    return w->compare(to, each_value(size, [&](int x, int y, int) {
                        float sum = 0, weights = 0;
                        for (int j = -3; j <= 3; ++j)
                          for (int i = -3; i <= 3; ++i) {
                            float distance = 0;
                            for (int v = -1; v <= 1; ++v)
                              for (int u = -1; u <= 1; ++u) {
                                const float d = in(x + u, y + v, 0) - in(x + i + u, y + j + v, 0);
                                distance += d * d;
                              }
                            const float weight = std::exp(-distance * 0.5f);
                            sum += weight * in(x + i, y + j, 0);
                            weights += weight;
                          }
                        return sum / weights;
                      }));
  };
  return made;
});

} // namespace
} // namespace heddle::bench
