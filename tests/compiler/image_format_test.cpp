// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of every image format, in both directions, on every ISA level.
#include "tests/compiler/image_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace heddle::test {
namespace {

constexpr int kSide = 256; // all values of 16 bits in each channel

const char* const kSource = R"(
#define KERNELS(suffix, T)                                                                        \
  kernel void read_##suffix(read_only image2d_t image, global T* out) {                           \
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));                               \
    out[at.y * (int)get_global_size(0) + at.x] = read_image##suffix(image, at);                   \
  }                                                                                               \
  kernel void write_##suffix(write_only image2d_t image, global const T* in) {                    \
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));                               \
    write_image##suffix(image, at, in[at.y * (int)get_global_size(0) + at.x]);                    \
  }                                                                                               \
  kernel void copy_##suffix(read_write image2d_t image) {                                         \
    int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));                               \
    write_image##suffix(image, at, read_image##suffix(image, at));                                \
  }
KERNELS(f, float4)
KERNELS(i, int4)
KERNELS(ui, uint4)
)";

class ImageFormats : public testing::TestWithParam<std::string> {
 protected:
  static Program& program() {
    static std::map<std::string, std::unique_ptr<Program>> programs;
    auto& found = programs[GetParam()];
    if (!found) {
      BuildInput input{kSource, {"-cl-std=CL3.0"}};
      input.extensions += kImageExtensions;
      input.cpu = GetParam();
      found = std::make_unique<Program>(input);
    }
    return *found;
  }
  static constexpr Range kRange{{kSide, kSide, 1}, {64, 4, 1}, {0, 0, 0}};
};

// A texel whose channels go through all values of 8 and 16 bits, and of 32 bits through edge cases.
void set_texel(TestImage& image, int number, std::mt19937& random) {
  static constexpr std::uint32_t kEdges[] = {
      0,          1,          0x80000000, 0xffffffff, 0x7fffffff, 0x7f800000, 0xff800000,
      0x00800000, 0x00000001, 0x3f800000, 0xbf800000, 0x007fffff, 0x4b7fffff, 0x80000001};
  const auto bytes = image.format().bytes;
  auto* texel = image.texel(number % kSide, number / kSide);
  if (image.format().type == CL_FLOAT || image.format().type == CL_SIGNED_INT32 ||
      image.format().type == CL_UNSIGNED_INT32) {
    for (unsigned i = 0; i < bytes; i += 4) {
      const auto bits = random() % 8 == 0 ? kEdges[random() % std::size(kEdges)] : random();
      std::memcpy(texel + i, &bits, 4);
    }
    return;
  }
  for (unsigned i = 0; i < bytes; i += 2) {
    const auto bits = static_cast<std::uint16_t>(number + i * 12347);
    std::memcpy(texel + i, &bits, std::min(2U, bytes));
  }
}

template <class T>
void expect_same(const std::array<T, 4>& is, const Color& color, const ImageFormat& format,
                 int number) {
  for (int c = 0; c < 4; ++c) {
    const auto expected = static_cast<T>(color[c]);
    if (std::isnan(color[c]))
      ASSERT_TRUE(std::isnan(static_cast<double>(is[c]))) << format.name << ' ' << number;
    else
      ASSERT_EQ(is[c], expected) << format.name << " texel " << number << " component " << c;
  }
}

template <class T>
void check_reads(Program& program, const ImageFormat& format, const Range& range) {
  TestImage image(format, {kSide, kSide});
  std::mt19937 random(1);
  for (int i = 0; i < kSide * kSide; ++i)
    set_texel(image, i, random);
  std::vector<std::array<T, 4>> out(kSide * kSide);
  program.run("read_" + format.kind, range, {image.argument(), bytes(out.data())});
  for (int i = 0; i < kSide * kSide; ++i)
    expect_same(out[i], decode(format, image.texel(i % kSide, i / kSide)), format, i);
}

TEST_P(ImageFormats, ReadsAreExact) {
  for (const auto& format : image_formats()) {
    if (format.kind == "f")
      check_reads<float>(program(), format, kRange);
    else if (format.kind == "i")
      check_reads<std::int32_t>(program(), format, kRange);
    else
      check_reads<std::uint32_t>(program(), format, kRange);
    if (HasFatalFailure())
      return;
  }
}

// Values around each code's limits, beyond the range, and special ones.
template <class T>
T value_to_write(const ImageFormat& format, std::mt19937& random) {
  if constexpr (std::is_same_v<T, float>) {
    static constexpr float kEdges[] = {0.0F,     -0.0F,      1.0F,      -1.0F,    2.0F,
                                       -3.0F,    INFINITY,   -INFINITY, NAN,      65504.0F,
                                       65519.9F, 65520.0F,   1e-8F,     6.1e-5F,  5.9604645e-8F,
                                       1e30F,    0.0031308F, 0.5F,      -1.0001F, 2.9802322e-8F};
    if (random() % 8 == 0)
      return kEdges[random() % std::size(kEdges)];
    if (format.type == CL_FLOAT || format.type == CL_HALF_FLOAT)
      return std::ldexp(static_cast<float>(static_cast<int>(random()) >> 7),
                        static_cast<int>(random() % 50) - 50);
    if (random() % 2 == 0) { // halfway between two codes
      static constexpr float kLargest[] = {255, 65535, 127, 32767, 31, 63, 1023, 4095, 16383, 3};
      const auto largest = kLargest[random() % std::size(kLargest)];
      return (static_cast<float>(random() % (static_cast<unsigned>(largest) + 1)) + 0.5F) / largest;
    }
    return static_cast<float>(static_cast<int>(random())) * 0x1p-31F * 1.1F;
  } else {
    const auto bits = random();
    return static_cast<T>(random() % 4 == 0 ? bits : static_cast<T>(bits) >> (random() % 32));
  }
}

template <class T>
void check_writes(Program& program, const ImageFormat& format, const Range& range) {
  TestImage image(format, {kSide, kSide});
  std::mt19937 random(2);
  std::vector<std::array<T, 4>> in(kSide * kSide);
  for (auto& color : in)
    for (auto& c : color)
      c = value_to_write<T>(format, random);
  program.run("write_" + format.kind, range, {image.argument(), bytes(in.data())});
  const auto used = used_bits(format);
  const bool is_float = format.type == CL_HALF_FLOAT || format.type == CL_FLOAT;
  for (int i = 0; i < kSide * kSide; ++i) {
    Color color;
    std::copy(in[i].begin(), in[i].end(), color.begin());
    const auto expected = encode(format, color);
    const auto* texel = image.texel(i % kSide, i / kSide);
    // NaNs have many codes.
    const bool has_nan =
        is_float && std::ranges::any_of(decode(format, texel), [](double c) { return c != c; });
    for (unsigned b = 0; b < format.bytes; ++b) {
      if (!has_nan) {
        ASSERT_EQ(texel[b] & used[b], expected[b])
            << format.name << " texel " << i << " byte " << b << " of " << color[0] << ' '
            << color[1] << ' ' << color[2] << ' ' << color[3];
      }
    }
  }
}

TEST_P(ImageFormats, WritesAreExact) {
  for (const auto& format : image_formats()) {
    if (format.kind == "f")
      check_writes<float>(program(), format, kRange);
    else if (format.kind == "i")
      check_writes<std::int32_t>(program(), format, kRange);
    else
      check_writes<std::uint32_t>(program(), format, kRange);
    if (HasFatalFailure())
      return;
  }
}

// Reading and writing a texel gives it back, except for the least of signed normalized codes, NaNs,
// and unused bits.
TEST_P(ImageFormats, ReadWriteKeepsTexels) {
  for (const auto& format : image_formats()) {
    if (format.type == CL_SNORM_INT8 || format.type == CL_SNORM_INT16 ||
        format.type == CL_HALF_FLOAT || format.type == CL_FLOAT)
      continue;
    TestImage image(format, {kSide, kSide}), copy(format, {kSide, kSide});
    std::mt19937 random(3), again(3);
    for (int i = 0; i < kSide * kSide; ++i) {
      set_texel(image, i, random);
      set_texel(copy, i, again);
    }
    program().run("copy_" + format.kind, kRange, {image.argument()});
    const auto used = used_bits(format);
    for (int i = 0; i < kSide * kSide; ++i)
      for (unsigned b = 0; b < format.bytes; ++b)
        ASSERT_EQ(image.texel(i % kSide, i / kSide)[b] & used[b],
                  copy.texel(i % kSide, i / kSide)[b] & used[b])
            << format.name << " texel " << i << " byte " << b;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, ImageFormats, testing::ValuesIn(cpu_levels()), name_of_level);

} // namespace
} // namespace heddle::test
