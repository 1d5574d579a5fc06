// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels by themselves: a copy, a conversion of colors, a histogram.
#include "tests/bench/frame/data.h"
#include "tests/bench/frame/pictures.h"

namespace heddle::bench {
namespace {

const RegisterPictures copy("image_copy", [](Scale scale, bool uses_images) {
  const int side = scale == Scale::kFull ? 1024 : 64;
  const PictureSize size{side, side, 0, 4};
  auto made = std::make_unique<PictureWorkload>(uses_images, true, 4);
  auto* w = made.get();
  w->work = "1024 x 1024 of RGBA8";
  w->source += R"(
    kernel void copy(OUT(to), IN(from)) {
      const int x = get_global_id(0), y = get_global_id(1);
      STORE(to, x, y, LOAD(from, x, y));
    })";
  const auto from = w->input_picture(size, 1), to = w->result_picture(size);
  w->launch("copy", size.range(), {16, 16}, to, from);
  w->verify = [=] {
    const auto in = w->view<uint8_t>(from.bytes);
    return equal(w->view<uint8_t>(to.bytes), std::vector<uint8_t>(in.begin(), in.end()));
  };
  return made;
});

const RegisterPictures nv12("image_nv12_to_rgb", [](Scale scale, bool uses_images) {
  const int side = scale == Scale::kFull ? 1024 : 64;
  const PictureSize full{side, side, 0, 1}, half{side / 2, side / 2, 0, 2}, rgba{side, side, 0, 4};
  auto made = std::make_unique<PictureWorkload>(uses_images, true, 1);
  auto* w = made.get();
  w->work = "1024 x 1024, BT.601";
  w->source += R"(
    kernel void convert(OUT_RGBA(to), IN(luma), IN_RG(chroma)) {
      const int x = get_global_id(0), y = get_global_id(1);
      const float l = 1.164f * (LOAD(luma, x, y) - 16 / 255.0f);
      const float2 c = LOAD_RG(chroma, x / 2, y / 2) - 128 / 255.0f;
      STORE_RGBA(to, x, y, (float4)(l + 1.596f * c.y, l - 0.391f * c.x - 0.813f * c.y,
                                    l + 2.018f * c.x, 1.0f));
    })";
  const auto luma = w->input_picture(full, 1), chroma = w->input_picture(half, 2);
  const auto to = w->result_picture(rgba);
  w->launch("convert", rgba.range(), {16, 16}, to, luma, chroma);
  w->verify = [=] {
    const Values y{full, w->values(luma)}, uv{half, w->values(chroma)};
    return w->compare(
        to, each_value(rgba, [&](int i, int j, int c) {
          constexpr float kFactors[3][2] = {{0, 1.596f}, {-0.391f, -0.813f}, {2.018f, 0}};
          if (c == 3)
            return 1.0f;
          const float value = 1.164f * (y(i, j, 0) - 16 / 255.0f) +
                              kFactors[c][0] * (uv(i / 2, j / 2, 0) - 128 / 255.0f) +
                              kFactors[c][1] * (uv(i / 2, j / 2, 1) - 128 / 255.0f);
          return std::clamp(value, 0.0f, 1.0f);
        }));
  };
  return made;
});

const RegisterPictures histogram("image_histogram", [](Scale scale, bool uses_images) {
  const int side = scale == Scale::kFull ? 1024 : 64;
  auto made = std::make_unique<PictureWorkload>(uses_images, true, 1);
  auto* w = made.get();
  w->work = "256 bins of 1024 x 1024 of R8, local counters";
  w->source += R"(
    kernel void clear(global uint* bins) { bins[get_global_id(0)] = 0; }
    kernel void count(global uint* bins, IN(from)) {
      local uint counts[256];
      const int x = get_global_id(0), y = get_global_id(1) * 16, i = get_local_id(0);
      counts[i] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int k = 0; k < 16; ++k)
        atomic_inc(&counts[(uint)(LOAD(from, x, y + k) * 255.0f + 0.5f)]);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (counts[i] != 0)
        atomic_add(&bins[i], counts[i]);
    })";
  const int width = std::max(side, 256);
  const PictureSize wide{width, side * side / width, 0, 1};
  const auto from = w->input_picture(wide, 1);
  const auto bins = w->result<uint32_t>(256);
  w->launch("clear", {256}, {256}, bins);
  w->launch("count", {static_cast<size_t>(wide.width), static_cast<size_t>(wide.height / 16)},
            {256, 1}, bins, from);
  w->verify = [=] {
    std::vector<uint32_t> expected(256);
    for (const auto byte : w->view<const uint8_t>(from.bytes))
      ++expected[byte];
    return equal(w->view<uint32_t>(bins), expected);
  };
  return made;
});

} // namespace
} // namespace heddle::bench
