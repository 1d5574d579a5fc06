// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/frame/pictures.h"

#include "tests/bench/frame/data.h"

namespace heddle::bench {
namespace {

constexpr const char* kImagePrelude = R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
#if CHANNELS == 4
typedef float4 Pixel;
#define PIXEL(color) (color)
#define COLOR(pixel) (pixel)
#else
typedef float Pixel;
#define PIXEL(color) (color).x
#define COLOR(pixel) (float4)(pixel, 0.0f, 0.0f, 1.0f)
#endif
#ifdef VOLUMES
#define IMAGE image3d_t
#else
#define IMAGE image2d_t
#endif
#define IN(name) read_only IMAGE name, int name##_width, int name##_height, int name##_depth
#define OUT(name) write_only IMAGE name, int name##_width, int name##_height, int name##_depth
#define LOAD(name, x, y) PIXEL(read_imagef(name, nearest, (int2)(x, y)))
#define SAMPLE(name, x, y) PIXEL(read_imagef(name, linear, (float2)(x, y)))
#define SAMPLE_IN_BORDER(name, x, y) PIXEL(read_imagef(name, bordered, (float2)(x, y)))
#define SAMPLE3(name, x, y, z) PIXEL(read_imagef(name, linear, (float4)(x, y, z, 0.0f)))
#define STORE(name, x, y, pixel) write_imagef(name, (int2)(x, y), COLOR(pixel))
#define STORE3(name, x, y, z, pixel) write_imagef(name, (int4)(x, y, z, 0), COLOR(pixel))
#define IN_RG IN
#define IN_RGBA IN
#define OUT_RGBA OUT
#define LOAD_RG(name, x, y) read_imagef(name, nearest, (int2)(x, y)).xy
#define STORE_RGBA(name, x, y, color) write_imagef(name, (int2)(x, y), color)
)";

constexpr const char* kBufferPrelude = R"(
#if CHANNELS == 4
typedef float4 Pixel;
typedef uchar4 Byte;
#define convert_pixel convert_float4
#define convert_byte convert_uchar4_sat_rte
#else
typedef float Pixel;
typedef uchar Byte;
#define convert_pixel convert_float
#define convert_byte convert_uchar_sat_rte
#endif
#ifdef BYTES
typedef Byte Texel;
Pixel decode(Texel t) { return convert_pixel(t) * (1 / 255.0f); }
Texel encode(Pixel p) { return convert_byte(p * 255.0f); }
#else
typedef Pixel Texel;
Pixel decode(Texel t) { return t; }
Texel encode(Pixel p) { return p; }
#endif
#define SIZES(name) int name##_width, int name##_height, int name##_depth
#define IN(name) global const Texel* restrict name, SIZES(name)
#define OUT(name) global Texel* restrict name, SIZES(name)
#define PLACE(name, x, y) \
  (clamp(y, 0, name##_height - 1) * name##_width + clamp(x, 0, name##_width - 1))
#define LOAD(name, x, y) decode(name[PLACE(name, x, y)])
#define STORE(name, x, y, pixel) (name[(y) * name##_width + (x)] = encode(pixel))
#define STORE3(name, x, y, z, pixel) \
  (name[((z) * name##_height + (y)) * name##_width + (x)] = encode(pixel))
#define IN_RG(name) global const uchar2* restrict name, SIZES(name)
#define OUT_RGBA(name) global uchar4* restrict name, SIZES(name)
#define LOAD_RG(name, x, y) (convert_float2(name[PLACE(name, x, y)]) * (1 / 255.0f))
#define STORE_RGBA(name, x, y, color) \
  (name[(y) * name##_width + (x)] = convert_uchar4_sat_rte((color) * 255.0f))

Pixel sample(global const Texel* restrict from, int width, int height, float x, float y) {
  x -= 0.5f, y -= 0.5f;
  const float left = floor(x), upper = floor(y), a = x - left, b = y - upper;
  const int x0 = clamp((int)left, 0, width - 1), x1 = clamp((int)left + 1, 0, width - 1);
  const int y0 = clamp((int)upper, 0, height - 1) * width;
  const int y1 = clamp((int)upper + 1, 0, height - 1) * width;
  return (1 - b) * ((1 - a) * decode(from[y0 + x0]) + a * decode(from[y0 + x1])) +
         b * ((1 - a) * decode(from[y1 + x0]) + a * decode(from[y1 + x1]));
}
#define SAMPLE(name, x, y) sample(name, name##_width, name##_height, x, y)

Pixel bordered(global const Texel* restrict from, int width, int height, int x, int y) {
  return x >= 0 & x < width & y >= 0 & y < height ? decode(from[y * width + x]) : (Pixel)0;
}
Pixel sample_in_border(global const Texel* restrict from, int width, int height, float x, float y) {
  x -= 0.5f, y -= 0.5f;
  const float left = floor(x), upper = floor(y), a = x - left, b = y - upper;
  const int i = (int)left, j = (int)upper;
  return (1 - b) * ((1 - a) * bordered(from, width, height, i, j) +
                    a * bordered(from, width, height, i + 1, j)) +
         b * ((1 - a) * bordered(from, width, height, i, j + 1) +
              a * bordered(from, width, height, i + 1, j + 1));
}
#define SAMPLE_IN_BORDER(name, x, y) sample_in_border(name, name##_width, name##_height, x, y)

Pixel sample3(global const Texel* restrict from, int width, int height, int depth, float x, float y,
              float z) {
  z -= 0.5f;
  const float front = floor(z), c = z - front;
  const int z0 = clamp((int)front, 0, depth - 1), z1 = clamp((int)front + 1, 0, depth - 1);
  return (1 - c) * sample(from + z0 * height * width, width, height, x, y) +
         c * sample(from + z1 * height * width, width, height, x, y);
}
#define SAMPLE3(name, x, y, z) sample3(name, name##_width, name##_height, name##_depth, x, y, z)
)";

} // namespace

PictureWorkload::PictureWorkload(bool uses_images, bool has_bytes, int channels)
    : uses_images(uses_images), has_bytes(has_bytes) {
  source = uses_images ? kImagePrelude : kBufferPrelude;
  options = "-cl-std=CL3.0 -DCHANNELS=" + std::to_string(channels);
  if (has_bytes)
    options += " -DBYTES";
}

Picture PictureWorkload::make(const PictureSize& size, BufferId bytes) {
  if (!uses_images)
    return {size, has_bytes, bytes, argument(bytes)};
  const auto channels = has_bytes ? Image::Channels::kUnorm8 : Image::Channels::kFloat;
  const auto made =
      image(bytes, channels, static_cast<unsigned>(size.channels), static_cast<size_t>(size.width),
            static_cast<size_t>(size.height), static_cast<size_t>(size.depth));
  return {size, has_bytes, bytes, argument(made)};
}

Picture PictureWorkload::input_picture(const PictureSize& size, uint64_t seed) {
  return make(size, has_bytes ? input(random_values<uint8_t>(size.values(), 0, 256, seed))
                              : input(random_values<float>(size.values(), 0, 1, seed)));
}

Picture PictureWorkload::result_picture(const PictureSize& size) {
  return make(size, has_bytes ? result<uint8_t>(size.values()) : result<float>(size.values()));
}

void PictureWorkload::add(const Picture& picture) {
  add(picture.argument);
  add(picture.size.width);
  add(picture.size.height);
  add(picture.size.depth);
}

std::vector<float> PictureWorkload::values(const Picture& picture) const {
  if (!picture.has_bytes) {
    const auto all = view<const float>(picture.bytes);
    return {all.begin(), all.end()};
  }
  std::vector<float> all;
  for (const auto byte : view<const uint8_t>(picture.bytes))
    all.push_back(static_cast<float>(byte) / 255.0f);
  return all;
}

std::string PictureWorkload::compare(const Picture& picture,
                                     const std::vector<float>& expected) const {
  const auto got = values(picture);
  return close(std::span(got), expected, 1e-4, picture.has_bytes ? 1.5 / 255 : 1e-4);
}

} // namespace heddle::bench
