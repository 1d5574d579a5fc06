// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/color.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace heddle {
namespace {

// For each channel of an element the component of the color that it holds.
constexpr std::array<unsigned, 4> components_of(heddle_image_layout layout) {
  switch (layout) {
  case HEDDLE_LAYOUT_A:
    return {3, 3, 3, 3};
  case HEDDLE_LAYOUT_RA:
    return {0, 3, 3, 3};
  case HEDDLE_LAYOUT_BGRA:
    return {2, 1, 0, 3};
  case HEDDLE_LAYOUT_ARGB:
    return {3, 0, 1, 2};
  case HEDDLE_LAYOUT_ABGR:
    return {3, 2, 1, 0};
  case HEDDLE_LAYOUT_RGBA:
  case HEDDLE_LAYOUT_R:
  case HEDDLE_LAYOUT_RG:
  case HEDDLE_LAYOUT_RGX:
  case HEDDLE_LAYOUT_RGBX:
  case HEDDLE_LAYOUT_RGB:
  case HEDDLE_LAYOUT_INTENSITY:
  case HEDDLE_LAYOUT_LUMINANCE:
  case HEDDLE_LAYOUT_DEPTH:
    break;
  }
  return {0, 1, 2, 3};
}

// Rounds value * scale to the nearest integer, ties to even, within [least, most]; NaN becomes 0.
// The product is exact in double, as scale has at most 16 bits.
std::int32_t normalize(float value, double scale, double least) {
  if (std::isnan(value))
    return 0;
  return static_cast<std::int32_t>(
      std::nearbyint(std::clamp(static_cast<double>(value) * scale, least, scale)));
}

std::uint32_t unorm(float value, unsigned bits) {
  return static_cast<std::uint32_t>(normalize(value, (1u << bits) - 1, 0));
}

std::uint32_t srgb(float value) {
  if (!(value > 0))
    return 0;
  const double linear = std::min(static_cast<double>(value), 1.0);
  const double curved =
      linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
  return static_cast<std::uint32_t>(std::nearbyint(curved * 255));
}

// To nearest even, with subnormal values; NaN keeps the upper bits of its payload.
std::uint32_t half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = bits >> 16 & 0x8000;
  const auto magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00 | (magnitude >> 13 & 0x3ff);
  if (magnitude >= 0x47800000) // 2^16
    return sign | 0x7c00;
  if (magnitude < 0x38800000) // less than the least normal half: in units of the least subnormal
    return sign | static_cast<std::uint32_t>(
                      std::nearbyint(std::ldexp(static_cast<double>(std::abs(value)), 24)));
  const auto rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
  return sign | ((rounded - 0x38000000) >> 13); // overflows to infinity
}

std::uint32_t clamp(std::int32_t value, std::int32_t least, std::int32_t most) {
  return static_cast<std::uint32_t>(std::clamp(value, least, most));
}

struct Color {
  std::array<std::uint32_t, 4> words{};
  float f(unsigned i) const { return std::bit_cast<float>(words[i]); }
  std::int32_t i(unsigned i) const { return std::bit_cast<std::int32_t>(words[i]); }
  std::uint32_t ui(unsigned i) const { return words[i]; }
};

// The bits of one channel; `component` 3 is alpha. Of packed elements the whole.
std::uint32_t encode(heddle_image_coding coding, const Color& color, unsigned component) {
  const auto packed = [&](unsigned i, unsigned bits) { return unorm(color.f(i), bits); };
  switch (coding) {
  case HEDDLE_CODING_UNORM8:
    return unorm(color.f(component), 8);
  case HEDDLE_CODING_SNORM8:
    return static_cast<std::uint32_t>(normalize(color.f(component), 127, -128));
  case HEDDLE_CODING_UNORM16:
    return unorm(color.f(component), 16);
  case HEDDLE_CODING_SNORM16:
    return static_cast<std::uint32_t>(normalize(color.f(component), 32767, -32768));
  case HEDDLE_CODING_HALF:
    return half(color.f(component));
  case HEDDLE_CODING_FLOAT:
  case HEDDLE_CODING_SINT32:
  case HEDDLE_CODING_UINT32:
    return color.ui(component);
  case HEDDLE_CODING_SRGB8:
    return component == 3 ? unorm(color.f(3), 8) : srgb(color.f(component));
  case HEDDLE_CODING_UNORM565:
    return packed(0, 5) << 11 | packed(1, 6) << 5 | packed(2, 5);
  case HEDDLE_CODING_UNORM555:
    return packed(0, 5) << 10 | packed(1, 5) << 5 | packed(2, 5);
  case HEDDLE_CODING_UNORM101010:
    return packed(0, 10) << 20 | packed(1, 10) << 10 | packed(2, 10);
  case HEDDLE_CODING_UNORM101010_2:
    return packed(0, 10) << 22 | packed(1, 10) << 12 | packed(2, 10) << 2 | packed(3, 2);
  case HEDDLE_CODING_UNORM2_101010:
    return packed(3, 2) << 30 | packed(2, 10) << 20 | packed(1, 10) << 10 | packed(0, 10);
  case HEDDLE_CODING_UNORM10X6:
    return unorm(color.f(component), 10) << 6;
  case HEDDLE_CODING_UNORM12X4:
    return unorm(color.f(component), 12) << 4;
  case HEDDLE_CODING_UNORM14X2:
    return unorm(color.f(component), 14) << 2;
  case HEDDLE_CODING_SINT8:
    return clamp(color.i(component), -128, 127);
  case HEDDLE_CODING_SINT16:
    return clamp(color.i(component), -32768, 32767);
  case HEDDLE_CODING_UINT8:
    return std::min(color.ui(component), 0xffu);
  case HEDDLE_CODING_UINT16:
    return std::min(color.ui(component), 0xffffu);
  case HEDDLE_CODING_UINT10X6:
    return std::min(color.ui(component), 0x3ffu) << 6;
  case HEDDLE_CODING_UINT12X4:
    return std::min(color.ui(component), 0xfffu) << 4;
  case HEDDLE_CODING_UINT14X2:
    return std::min(color.ui(component), 0x3fffu) << 2;
  case HEDDLE_CODING_RAW10:
    return std::min(color.ui(component), 0x3ffu);
  case HEDDLE_CODING_RAW12:
    return std::min(color.ui(component), 0xfffu);
  }
  return 0;
}

} // namespace

// The upper 8 bits of each element, and the lower ones of all.
static ImageElement make_pack(const ImageFormat& format, std::uint32_t value) {
  const auto low_bits = 8 / format.pack();
  const auto low = value & ((1u << low_bits) - 1);
  ImageElement pack{};
  std::uint32_t lows = 0;
  for (std::size_t i = 0; i < format.pack(); ++i) {
    pack[i] = static_cast<std::byte>(value >> low_bits);
    lows |= low << i * low_bits;
  }
  pack[format.pack()] = static_cast<std::byte>(lows);
  return pack;
}

std::size_t color_bytes(const ImageFormat& format) {
  return format.layout == HEDDLE_LAYOUT_DEPTH ? 4 : 16;
}

ImageElement make_element(const ImageFormat& format, const void* color) {
  Color given;
  std::memcpy(given.words.data(), color, color_bytes(format));
  if (format.pack() != 1)
    return make_pack(format, encode(format.coding, given, 0));
  const auto components = components_of(format.layout);
  const auto bytes = format.channel_bytes();
  ImageElement element{};
  for (std::size_t i = 0; i * bytes < format.element_size; ++i) {
    const auto word = encode(format.coding, given, components[i]);
    std::memcpy(element.data() + i * bytes, &word, bytes);
  }
  return element;
}

} // namespace heddle
