// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images in host memory, and a model of reads and writes in double precision that is written from
// the specification (API 8.2 and 8.3) and shares nothing with the builtins but the list of formats.
#pragma once

#include "compiler/interface/image_abi.h"
#include "tests/compiler/kernel_runner.h"

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::test {

struct ImageFormat {
  std::uint32_t order = 0; // CL_RGBA, ...
  std::uint32_t type = 0;  // CL_UNORM_INT8, ...
  std::uint32_t word = 0;  // HEDDLE_IMAGE_FORMAT_WORD
  std::uint32_t bytes = 0; // of a texel
  std::string kind;        // f, i or ui
  std::string name;
};

// All formats of image_formats.def whose elements do not share bytes.
const std::vector<ImageFormat>& image_formats();
const ImageFormat& image_format(std::uint32_t order, std::uint32_t type);

// The extensions by which a program may use images.
extern const char* const kImageExtensions;

struct ImageSize {
  int width = 1, height = 1, depth = 1, layers = 1;
};

// An image and its descriptor. Rows, slices and the whole are surrounded by texels of 0xa5, which
// is checked when it is destroyed.
class TestImage {
 public:
  TestImage(const ImageFormat& format, const ImageSize& size);
  ~TestImage();
  TestImage(const TestImage&) = delete;
  TestImage& operator=(const TestImage&) = delete;

  const ImageFormat& format() const { return format_; }
  const ImageSize& size() const { return size_; }
  std::byte* texel(int x, int y = 0, int z_or_layer = 0);
  void fill_randomly(std::uint32_t seed);
  std::vector<std::byte> argument() const { return bytes(&descriptor_); }

 private:
  ImageFormat format_;
  ImageSize size_;
  std::size_t row_pitch_ = 0, slice_pitch_ = 0;
  std::vector<std::byte> memory_;
  abi::Image descriptor_{};
};

// Components of a color. Integers of 32 bits are exact in doubles.
using Color = std::array<double, 4>;

// What is read from a texel, before it is rounded to float.
Color decode(const ImageFormat& format, const std::byte* texel);
// The texel that is written. Bits that are unused are zero in both; see used_bits.
std::vector<std::byte> encode(const ImageFormat& format, const Color& color);
// Ones where the format has bits with a meaning.
std::vector<std::byte> used_bits(const ImageFormat& format);
// OpenCL C 6.15.15.1: (0, 0, 0, 0) or (0, 0, 0, 1).
Color border_color(const ImageFormat& format);

// The nearest or linearly filtered texel at float coordinates; `sampler` as in image_abi.h.
Color sample(TestImage& image, int dimensions, std::uint32_t sampler, std::array<float, 3> place,
             int layer = 0);

} // namespace heddle::test
