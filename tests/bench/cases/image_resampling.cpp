// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images read between their pixels, with a linear filter.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/pictures.h"

#include <cmath>

namespace heddle::bench {
namespace {

// Bilinear; with `border` pixels outside are 0.
float sample(const Values& from, float x, float y, int channel, bool border = false, int z = 0) {
  x -= 0.5f, y -= 0.5f;
  const float left = std::floor(x), upper = std::floor(y), a = x - left, b = y - upper;
  const auto pixel = [&](int dx, int dy) {
    const int i = static_cast<int>(left) + dx, j = static_cast<int>(upper) + dy;
    const bool inside = i >= 0 && i < from.size.width && j >= 0 && j < from.size.height;
    return border && !inside ? 0.0f : from(i, j, z, channel);
  };
  return (1 - b) * ((1 - a) * pixel(0, 0) + a * pixel(1, 0)) +
         b * ((1 - a) * pixel(0, 1) + a * pixel(1, 1));
}

const RegisterPictures resize("image_resize", [](Scale scale, bool uses_images) {
  const bool is_full = scale == Scale::kFull;
  const PictureSize small{is_full ? 800 : 80, is_full ? 600 : 60, 0, 4};
  const PictureSize large{is_full ? 1280 : 128, is_full ? 960 : 96, 0, 4};
  auto made = std::make_unique<PictureWorkload>(uses_images, true, 4);
  auto* w = made.get();
  w->work = "bilinear, 800 x 600 to 1280 x 960 of RGBA8";
  w->source += R"(
    kernel void resize(OUT(to), IN(from), float sx, float sy) {
      const int x = get_global_id(0), y = get_global_id(1);
      STORE(to, x, y, SAMPLE(from, (x + 0.5f) * sx, (y + 0.5f) * sy));
    })";
  const auto from = w->input_picture(small, 1), to = w->result_picture(large);
  const float step = 0.625f;
  w->launch("resize", large.range(), {16, 16}, to, from, step, step);
  w->verify = [=] {
    const Values in{small, w->values(from)};
    return w->compare(to, each_value(large, [&](int x, int y, int c) {
                        return sample(in, (static_cast<float>(x) + 0.5f) * step,
                                      (static_cast<float>(y) + 0.5f) * step, c);
                      }));
  };
  return made;
});

const RegisterPictures rotate("image_rotate", [](Scale scale, bool uses_images) {
  const int side = scale == Scale::kFull ? 1024 : 64;
  const PictureSize size{side, side, 0, 4};
  auto made = std::make_unique<PictureWorkload>(uses_images, true, 4);
  auto* w = made.get();
  w->work = "bilinear, 30 degrees, black border, 1024 x 1024 of RGBA8";
  w->source += R"(
    kernel void rotate_by(OUT(to), IN(from), float c, float s) {
      const int x = get_global_id(0), y = get_global_id(1);
      const float mx = 0.5f * from_width, my = 0.5f * from_height;
      const float u = x + 0.5f - mx, v = y + 0.5f - my;
      STORE(to, x, y, SAMPLE_IN_BORDER(from, c * u + s * v + mx, c * v - s * u + my));
    })";
  const auto from = w->input_picture(size, 1), to = w->result_picture(size);
  const float c = 0.8660254f, s = 0.5f;
  w->launch("rotate_by", size.range(), {16, 16}, to, from, c, s);
  w->verify = [=] {
    const Values in{size, w->values(from)};
    const float middle = 0.5f * static_cast<float>(side);
    return w->compare(to, each_value(size, [&](int x, int y, int channel) {
                        const float u = static_cast<float>(x) + 0.5f - middle;
                        const float v = static_cast<float>(y) + 0.5f - middle;
                        return sample(in, c * u + s * v + middle, c * v - s * u + middle, channel,
                                      true);
                      }));
  };
  return made;
});

const RegisterPictures volume("image_resample_3d", [](Scale scale, bool uses_images) {
  const bool is_full = scale == Scale::kFull;
  const int from_side = is_full ? 80 : 10, to_side = is_full ? 128 : 16;
  const PictureSize small{from_side, from_side, from_side, 1}, large{to_side, to_side, to_side, 1};
  auto made = std::make_unique<PictureWorkload>(uses_images, false, 1);
  auto* w = made.get();
  w->work = "trilinear, 80 to 128 cubed of R32F";
  w->options += " -DVOLUMES";
  if (uses_images)
    w->needs = {"cl_khr_3d_image_writes|__opencl_c_3d_image_writes"};
  w->source = "#ifdef cl_khr_3d_image_writes\n"
              "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
              "#endif\n" +
              w->source + R"(
    kernel void resample(OUT(to), IN(from), float step) {
      const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
      STORE3(to, x, y, z,
             SAMPLE3(from, (x + 0.5f) * step, (y + 0.5f) * step, (z + 0.5f) * step));
    })";
  const auto from = w->input_picture(small, 1), to = w->result_picture(large);
  const float step = 0.625f;
  w->launch("resample", large.range(), {16, 4, 4}, to, from, step);
  w->verify = [=] {
    const Values in{small, w->values(from)};
    std::vector<float> expected;
    for (int z = 0; z != large.depth; ++z) {
      const float at = (static_cast<float>(z) + 0.5f) * step - 0.5f, front = std::floor(at);
      const int k = static_cast<int>(front);
      const float weight = at - front;
      const auto slice = each_value(large, [&](int i, int j, int) {
        const float x = (static_cast<float>(i) + 0.5f) * step;
        const float y = (static_cast<float>(j) + 0.5f) * step;
        return (1 - weight) * sample(in, x, y, 0, false, k) +
               weight * sample(in, x, y, 0, false, k + 1);
      });
      expected.insert(expected.end(), slice.begin(), slice.end());
    }
    return w->compare(to, expected);
  };
  return made;
});

// Each level has half of the size of the one before; a read in the middle of four pixels is their
// mean.
const RegisterPictures pyramid("image_pyramid", [](Scale scale, bool uses_images) {
  const int side = scale == Scale::kFull ? 1024 : 64;
  auto made = std::make_unique<PictureWorkload>(uses_images, true, 4);
  auto* w = made.get();
  w->work = "1024 x 1024 to 8 x 8 of RGBA8";
  w->source += R"(
    kernel void halve(OUT(to), IN(from)) {
      const int x = get_global_id(0), y = get_global_id(1);
      STORE(to, x, y, SAMPLE(from, 2 * x + 1, 2 * y + 1));
    })";
  std::vector<Picture> levels = {w->input_picture({side, side, 0, 4}, 1)};
  for (int size = side / 2; size >= 8; size /= 2) {
    levels.push_back(w->result_picture({size, size, 0, 4}));
    w->launch("halve", levels.back().size.range(), {8, 8}, levels.back(),
              levels[levels.size() - 2]);
  }
  w->verify = [=] {
    for (size_t i = 1; i != levels.size(); ++i) {
      const Values in{levels[i - 1].size, w->values(levels[i - 1])};
      auto wrong = w->compare(levels[i], each_value(levels[i].size, [&](int x, int y, int c) {
                                return sample(in, static_cast<float>(2 * x + 1),
                                              static_cast<float>(2 * y + 1), c);
                              }));
      if (!wrong.empty())
        return "level " + std::to_string(i) + ": " + wrong;
    }
    return std::string();
  };
  return made;
});

} // namespace
} // namespace heddle::bench
