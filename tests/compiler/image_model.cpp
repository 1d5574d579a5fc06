// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/compiler/image_model.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

// Not in the headers of Debian 12.
enum : std::uint32_t {
  CL_UNORM_INT10X6_EXT = 0x10E1,
  CL_UNSIGNED_INT_RAW10_EXT = 0x10E3,
  CL_UNSIGNED_INT_RAW12_EXT = 0x10E4,
  CL_UNORM_INT_2_101010_EXT = 0x10E5,
  CL_UNSIGNED_INT10X6_EXT = 0x10E6,
  CL_UNSIGNED_INT12X4_EXT = 0x10E7,
  CL_UNSIGNED_INT14X2_EXT = 0x10E8,
  CL_UNORM_INT12X4_EXT = 0x10E9,
  CL_UNORM_INT14X2_EXT = 0x10EA,
};

namespace heddle::test {
namespace {

constexpr std::size_t kMargin = 64;
constexpr std::byte kGuard{0xa5};

// The bits of one channel in a texel.
struct Field {
  unsigned first = 0, count = 0;
};
enum class Number : std::uint8_t { unorm, snorm, sint, uint, half, single, srgb };

struct Channels {
  std::vector<Field> fields;
  Number number = Number::unorm;
  std::vector<unsigned> components; // an index into "rgba" for each, or 4 if it is ignored
};

unsigned channel_count(std::uint32_t order) {
  switch (order) {
  case CL_R:
  case CL_A:
  case CL_INTENSITY:
  case CL_LUMINANCE:
  case CL_DEPTH:
    return 1;
  case CL_RG:
  case CL_RA:
  case CL_RGx:
    return 2;
  default:
    return 4;
  }
}

Channels make_channels(const ImageFormat& format) {
  const auto same = [&](unsigned stride, unsigned first, unsigned count, Number number) {
    Channels made{{}, number, {}};
    for (unsigned i = 0; i < channel_count(format.order); ++i)
      made.fields.push_back({i * stride + first, count});
    return made;
  };
  switch (format.type) {
  case CL_SNORM_INT8:
    return same(8, 0, 8, Number::snorm);
  case CL_SNORM_INT16:
    return same(16, 0, 16, Number::snorm);
  case CL_UNORM_INT8:
    return same(8, 0, 8, format.name.starts_with("s") ? Number::srgb : Number::unorm);
  case CL_UNORM_INT16:
    return same(16, 0, 16, Number::unorm);
  case CL_UNORM_SHORT_565:
    return {{{11, 5}, {5, 6}, {0, 5}}, Number::unorm, {}};
  case CL_UNORM_SHORT_555:
    return {{{10, 5}, {5, 5}, {0, 5}}, Number::unorm, {}};
  case CL_UNORM_INT_101010:
    return {{{20, 10}, {10, 10}, {0, 10}}, Number::unorm, {}};
  case CL_UNORM_INT_101010_2:
    return {{{22, 10}, {12, 10}, {2, 10}, {0, 2}}, Number::unorm, {}};
  case CL_UNORM_INT_2_101010_EXT:
    return {{{30, 2}, {20, 10}, {10, 10}, {0, 10}}, Number::unorm, {}};
  case CL_SIGNED_INT8:
    return same(8, 0, 8, Number::sint);
  case CL_SIGNED_INT16:
    return same(16, 0, 16, Number::sint);
  case CL_SIGNED_INT32:
    return same(32, 0, 32, Number::sint);
  case CL_UNSIGNED_INT8:
    return same(8, 0, 8, Number::uint);
  case CL_UNSIGNED_INT16:
    return same(16, 0, 16, Number::uint);
  case CL_UNSIGNED_INT32:
    return same(32, 0, 32, Number::uint);
  case CL_HALF_FLOAT:
    return same(16, 0, 16, Number::half);
  case CL_FLOAT:
    return same(32, 0, 32, Number::single);
  case CL_UNORM_INT10X6_EXT:
    return same(16, 6, 10, Number::unorm);
  case CL_UNORM_INT12X4_EXT:
    return same(16, 4, 12, Number::unorm);
  case CL_UNORM_INT14X2_EXT:
    return same(16, 2, 14, Number::unorm);
  case CL_UNSIGNED_INT10X6_EXT:
    return same(16, 6, 10, Number::uint);
  case CL_UNSIGNED_INT12X4_EXT:
    return same(16, 4, 12, Number::uint);
  case CL_UNSIGNED_INT14X2_EXT:
    return same(16, 2, 14, Number::uint);
  default:
    ADD_FAILURE() << "format " << format.name;
    return {};
  }
}

std::vector<unsigned> components(std::uint32_t order) {
  switch (order) {
  case CL_A:
    return {3};
  case CL_RG:
  case CL_RGx:
    return {0, 1};
  case CL_RA:
    return {0, 3};
  case CL_RGB:
    return {0, 1, 2};
  case CL_RGBx:
  case CL_sRGBx:
    return {0, 1, 2, 4};
  case CL_BGRA:
  case CL_sBGRA:
    return {2, 1, 0, 3};
  case CL_ARGB:
    return {3, 0, 1, 2};
  case CL_ABGR:
    return {3, 2, 1, 0};
  case CL_R:
  case CL_INTENSITY:
  case CL_LUMINANCE:
  case CL_DEPTH:
    return {0};
  default:
    return {0, 1, 2, 3};
  }
}

const Channels& channels(const ImageFormat& format) {
  static std::map<std::pair<std::uint32_t, std::uint32_t>, Channels> all;
  auto& found = all[{format.order, format.type}];
  if (found.fields.empty()) {
    found = make_channels(format);
    found.components = components(format.order);
  }
  return found;
}

std::uint64_t bits_of(const std::byte* texel, const Field& field) {
  std::uint64_t value = 0;
  for (unsigned byte = field.first / 8; byte * 8 < field.first + field.count; ++byte)
    value |= std::to_integer<std::uint64_t>(texel[byte]) << (byte - field.first / 8) * 8;
  return value >> field.first % 8 & ((std::uint64_t{1} << field.count) - 1);
}

void set_bits(std::byte* texel, const Field& field, std::uint64_t value) {
  for (unsigned i = 0; i < field.count; ++i) {
    const auto bit = field.first + i;
    texel[bit / 8] |= static_cast<std::byte>(((value >> i) & 1) << (bit % 8));
  }
}

double half_to_double(std::uint64_t bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  if (exponent == 31)
    return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

std::uint64_t double_to_half(double value) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return 0x7e00;
  value = std::fabs(value);
  if (value >= 65520)
    return sign | 0x7c00;
  if (value < std::ldexp(1, -14))
    return sign | static_cast<std::uint64_t>(std::nearbyint(std::ldexp(value, 24)));
  int exponent = 0;
  std::frexp(value, &exponent); // value in [2^(exponent-1), 2^exponent)
  const auto mantissa =
      static_cast<std::uint64_t>(std::nearbyint(std::ldexp(value, 11 - exponent)));
  return sign | ((static_cast<std::uint64_t>(exponent + 13) << 10) + mantissa);
}

double to_linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double to_srgb(double c) {
  if (!(c > 0))
    return 0;
  return c >= 1 ? 1 : c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

double saturated(double value, double least, double most) {
  return std::isnan(value) ? 0 : std::fmin(std::fmax(value, least), most);
}

bool is_srgb_alpha(const ImageFormat& format, unsigned component) {
  return component == 3 && format.name.starts_with("s");
}

} // namespace

const char* const kImageExtensions =
    " __opencl_c_images __opencl_c_3d_image_writes __opencl_c_read_write_images "
    "cl_khr_3d_image_writes cl_khr_depth_images cl_khr_mipmap_image cl_khr_mipmap_image_writes "
    "cl_khr_srgb_image_writes cl_khr_fp16";

const std::vector<ImageFormat>& image_formats() {
  static const auto formats = [] {
    std::vector<ImageFormat> all = {
#define HEDDLE_IMAGE_FORMAT(order, type, coding, layout, bytes, kind, access)                      \
  {CL_##order, CL_##type, HEDDLE_IMAGE_FORMAT_WORD(coding, layout), bytes, #kind, #order " " #type},
#include "compiler/interface/image_formats.def"
    };
    std::erase_if(all,
                  [](const ImageFormat& format) { return !std::has_single_bit(format.bytes); });
    return all;
  }();
  return formats;
}

const ImageFormat& image_format(std::uint32_t order, std::uint32_t type) {
  for (const auto& format : image_formats())
    if (format.order == order && format.type == type)
      return format;
  ADD_FAILURE() << "no such format";
  return image_formats()[0];
}

TestImage::TestImage(const ImageFormat& format, const ImageSize& size)
    : format_(format), size_(size) {
  row_pitch_ = size.width * format.bytes + kMargin;
  slice_pitch_ = (size.height + 1) * row_pitch_;
  const auto slices = static_cast<std::size_t>(size.depth) * size.layers;
  memory_.assign(2 * kMargin + slices * slice_pitch_, kGuard);
  descriptor_.data = reinterpret_cast<unsigned char*>(memory_.data()) + kMargin;
  descriptor_.width = size.width;
  descriptor_.height = size.height;
  descriptor_.depth = size.depth;
  descriptor_.array_size = size.layers;
  descriptor_.row_pitch = row_pitch_;
  descriptor_.slice_pitch = slice_pitch_;
  descriptor_.channel_order = format.order;
  descriptor_.channel_data_type = format.type;
  descriptor_.format = format.word;
  descriptor_.element_size = format.bytes;
  descriptor_.mip_levels = 1;
}

std::byte* TestImage::texel(int x, int y, int z_or_layer) {
  return memory_.data() + kMargin + z_or_layer * slice_pitch_ + y * row_pitch_ + x * format_.bytes;
}

void TestImage::fill_randomly(std::uint32_t seed) {
  std::mt19937 random(seed);
  for (int z = 0; z < size_.depth * size_.layers; ++z)
    for (int y = 0; y < size_.height; ++y)
      for (auto* at = texel(0, y, z); at != texel(size_.width, y, z); ++at)
        *at = static_cast<std::byte>(random());
  if (format_.type == CL_FLOAT || format_.type == CL_HALF_FLOAT) // moderate values
    for (int z = 0; z < size_.depth * size_.layers; ++z)
      for (int y = 0; y < size_.height; ++y)
        for (int x = 0; x < size_.width; ++x) {
          Color color;
          for (auto& c : color)
            c = static_cast<int>(random() % 2001) / 1000.0 - 1;
          const auto bytes = encode(format_, color);
          std::memcpy(texel(x, y, z), bytes.data(), bytes.size());
        }
}

TestImage::~TestImage() {
  for (int z = 0; z < size_.depth * size_.layers; ++z)
    for (int y = 0; y < size_.height; ++y)
      std::fill(texel(0, y, z), texel(size_.width, y, z), kGuard);
  for (const auto byte : memory_)
    if (byte != kGuard) {
      ADD_FAILURE() << "written outside of the image: " << format_.name;
      break;
    }
}

Color decode(const ImageFormat& format, const std::byte* texel) {
  const auto& made = channels(format);
  const auto& places = made.components;
  Color color = {0, 0, 0, 1};
  for (unsigned i = 0; i < made.fields.size(); ++i) {
    if (i >= places.size() || places[i] == 4)
      continue;
    const auto& field = made.fields[i];
    const auto bits = bits_of(texel, field);
    const double largest = std::ldexp(1, static_cast<int>(field.count)) - 1;
    const auto code = static_cast<double>(bits);
    const double with_sign = code > largest / 2 ? code - largest - 1 : code;
    double value = 0;
    switch (made.number) {
    case Number::unorm:
      value = code / largest;
      break;
    case Number::snorm:
      value = std::fmax(-1, with_sign / std::floor(largest / 2));
      break;
    case Number::srgb:
      value = is_srgb_alpha(format, places[i]) ? code / largest : to_linear(code / largest);
      break;
    case Number::sint:
      value = with_sign;
      break;
    case Number::uint:
      value = code;
      break;
    case Number::half:
      value = half_to_double(bits);
      break;
    case Number::single:
      value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      break;
    }
    color[places[i]] = value;
  }
  if (format.order == CL_A)
    color = {0, 0, 0, color[3]};
  if (format.order == CL_INTENSITY)
    color = {color[0], color[0], color[0], color[0]};
  if (format.order == CL_LUMINANCE)
    color = {color[0], color[0], color[0], 1};
  return color;
}

std::vector<std::byte> used_bits(const ImageFormat& format) {
  const auto& made = channels(format);
  const auto& places = made.components;
  std::vector<std::byte> bytes(format.bytes);
  for (unsigned i = 0; i < made.fields.size(); ++i)
    if (i < places.size() && places[i] != 4)
      set_bits(bytes.data(), made.fields[i], ~std::uint64_t{0});
  return bytes;
}

std::vector<std::byte> encode(const ImageFormat& format, const Color& color) {
  const auto& made = channels(format);
  const auto& places = made.components;
  std::vector<std::byte> bytes(format.bytes);
  for (unsigned i = 0; i < made.fields.size(); ++i) {
    if (i >= places.size() || places[i] == 4)
      continue;
    const auto& field = made.fields[i];
    const double value = color[places[i]];
    const double largest = std::ldexp(1, static_cast<int>(field.count)) - 1;
    const double signed_largest = std::floor(largest / 2);
    // The product is a float's (API 8.3.1.1).
    const auto scaled = [&](double by) {
      return static_cast<double>(static_cast<float>(value) * static_cast<float>(by));
    };
    std::uint64_t bits = 0;
    switch (made.number) {
    case Number::srgb:
      if (!is_srgb_alpha(format, places[i])) {
        bits = static_cast<std::uint64_t>(std::nearbyint(to_srgb(value) * 255));
        break;
      }
      [[fallthrough]];
    case Number::unorm:
      bits = static_cast<std::uint64_t>(saturated(std::nearbyint(scaled(largest)), 0, largest));
      break;
    case Number::snorm:
      bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(
          saturated(std::nearbyint(scaled(signed_largest)), -signed_largest - 1, signed_largest)));
      break;
    case Number::sint:
      bits = static_cast<std::uint64_t>(
          static_cast<std::int64_t>(saturated(value, -signed_largest - 1, signed_largest)));
      break;
    case Number::uint:
      bits = static_cast<std::uint64_t>(saturated(value, 0, largest));
      break;
    case Number::half:
      bits = double_to_half(value);
      break;
    case Number::single:
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
      break;
    }
    set_bits(bytes.data(), field, bits);
  }
  return bytes;
}

Color border_color(const ImageFormat& format) {
  switch (format.order) {
  case CL_R:
  case CL_RG:
  case CL_RGB:
  case CL_LUMINANCE:
    return {0, 0, 0, 1};
  default:
    return {0, 0, 0, 0};
  }
}

} // namespace heddle::test
