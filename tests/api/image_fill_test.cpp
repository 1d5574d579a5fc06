// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueFillImage: the conversion of colors (OpenCL SPIR-V Environment 7.4), and the region.
#include "tests/api/api_test.h"
#include "tests/api/images.h"

#include <CL/cl_half.h>

#include <cmath>
#include <limits>
#include <random>

namespace heddle::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

class ImageFill : public ApiTest {
 protected:
  // The element that a fill with the color gives, as an integer.
  template <class T, class Color>
  T fill(const cl_image_format& format, const std::array<Color, 4>& color) {
    const auto image = make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, 1, 1), format);
    EXPECT_EQ(image_info<size_t>(image, CL_IMAGE_ELEMENT_SIZE), sizeof(T));
    const Triple one = {1, 1, 1};
    check(clEnqueueFillImage(queue_, image, color.data(), kNoOrigin.data(), one.data(), 0, nullptr,
                             nullptr),
          "clEnqueueFillImage");
    T element{};
    check(clEnqueueReadImage(queue_, image, CL_TRUE, kNoOrigin.data(), one.data(), 0, 0, &element,
                             0, nullptr, nullptr),
          "clEnqueueReadImage");
    return element;
  }
  template <class T>
  T red(cl_uint type, float value) {
    return fill<T, float>({CL_R, type}, {value, 0, 0, 0});
  }
};

TEST_F(ImageFill, NormalizedValues) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> values(-0.1f, 1.1f);
  for (int i = 0; i != 300; ++i) {
    const float value = i < 256 ? static_cast<float>(i) / 255 : values(random);
    const auto expected = [&](double scale, double least, double sign = 1) {
      return std::nearbyint(std::min(std::max(sign * value * scale, least), scale));
    };
    EXPECT_EQ(red<cl_uchar>(CL_UNORM_INT8, value), expected(255, 0)) << value;
    EXPECT_EQ(red<cl_ushort>(CL_UNORM_INT16, value), expected(65535, 0)) << value;
    EXPECT_EQ(red<cl_char>(CL_SNORM_INT8, value), expected(127, -128)) << value;
    EXPECT_EQ(red<cl_short>(CL_SNORM_INT16, value), expected(32767, -32768)) << value;
    EXPECT_EQ(red<cl_char>(CL_SNORM_INT8, -value), expected(127, -128, -1)) << value;
  }
  // Ties go to the even value; infinities to the end of the range.
  EXPECT_EQ(red<cl_uchar>(CL_UNORM_INT8, 0.5f), 128); // 127.5
  EXPECT_EQ(red<cl_uchar>(CL_UNORM_INT8, kInf), 255);
  EXPECT_EQ(red<cl_uchar>(CL_UNORM_INT8, -kInf), 0);
  EXPECT_EQ(red<cl_uchar>(CL_UNORM_INT8, std::nanf("")), 0);
  EXPECT_EQ(red<cl_char>(CL_SNORM_INT8, -2), -128);
}

TEST_F(ImageFill, Halves) {
  const float values[] = {0,       -0.0f,   1,        -2.5f,   65504,   65519.99f, 65520, 1e9f,
                          6e-8f,   2.9e-8f, 2.98e-8f, 3e-8f,   6.1e-5f, 6.0e-5f,   kInf,  -kInf,
                          1.0004f, 1.0005f, 0.33333f, 2047.5f, 2048.5f, 4097,      4098,  1e-30f};
  for (const float value : values)
    EXPECT_EQ(red<cl_half>(CL_HALF_FLOAT, value), cl_half_from_float(value, CL_HALF_RTE)) << value;
  std::mt19937 random(2);
  for (int i = 0; i != 2000; ++i) {
    const auto bits = static_cast<cl_uint>(random());
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    const auto got = red<cl_half>(CL_HALF_FLOAT, value);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(cl_half_to_float(got)));
    else
      EXPECT_EQ(got, cl_half_from_float(value, CL_HALF_RTE)) << value;
  }
}

TEST_F(ImageFill, FloatsAndIntegers) {
  EXPECT_EQ(red<float>(CL_FLOAT, 1e-42f), 1e-42f);
  EXPECT_EQ(red<float>(CL_FLOAT, -kInf), -kInf);
  const auto signed_red = [&](auto zero, cl_uint type, cl_int value) {
    return fill<decltype(zero), cl_int>({CL_R, type}, {value, 0, 0, 0});
  };
  const auto unsigned_red = [&](auto zero, cl_uint type, cl_uint value) {
    return fill<decltype(zero), cl_uint>({CL_R, type}, {value, 0, 0, 0});
  };
  EXPECT_EQ(signed_red(cl_char{}, CL_SIGNED_INT8, 200), 127);
  EXPECT_EQ(signed_red(cl_char{}, CL_SIGNED_INT8, -200), -128);
  EXPECT_EQ(signed_red(cl_short{}, CL_SIGNED_INT16, -40000), -32768);
  EXPECT_EQ(signed_red(cl_short{}, CL_SIGNED_INT16, -5), -5);
  EXPECT_EQ(signed_red(cl_int{}, CL_SIGNED_INT32, -2000000000), -2000000000);
  EXPECT_EQ(unsigned_red(cl_uchar{}, CL_UNSIGNED_INT8, 4000000000u), 255);
  EXPECT_EQ(unsigned_red(cl_ushort{}, CL_UNSIGNED_INT16, 70000), 65535);
  EXPECT_EQ(unsigned_red(cl_uint{}, CL_UNSIGNED_INT32, 4000000000u), 4000000000u);
}

TEST_F(ImageFill, ChannelOrders) {
  const std::array<float, 4> color = {1 / 255.f, 2 / 255.f, 3 / 255.f, 4 / 255.f};
  const auto four = [&](cl_uint order) {
    return fill<cl_uint, float>({order, CL_UNORM_INT8}, color);
  };
  EXPECT_EQ(four(CL_RGBA), 0x04030201u);
  EXPECT_EQ(four(CL_BGRA), 0x04010203u);
  EXPECT_EQ(four(CL_ARGB), 0x03020104u);
  EXPECT_EQ(four(CL_ABGR), 0x01020304u);
  EXPECT_EQ(four(CL_RGBx) & 0xffffff, 0x030201u);
  EXPECT_EQ((fill<cl_ushort, float>({CL_RG, CL_UNORM_INT8}, color)), 0x0201);
  EXPECT_EQ((fill<cl_ushort, float>({CL_RA, CL_UNORM_INT8}, color)), 0x0401);
  EXPECT_EQ((fill<cl_uchar, float>({CL_A, CL_UNORM_INT8}, color)), 4);
  EXPECT_EQ((fill<cl_uchar, float>({CL_LUMINANCE, CL_UNORM_INT8}, color)), 1);
  EXPECT_EQ((fill<cl_uchar, float>({CL_INTENSITY, CL_UNORM_INT8}, color)), 1);
  EXPECT_EQ((fill<float, float>({CL_DEPTH, CL_FLOAT}, {0.25f, 9, 9, 9})), 0.25f);
  EXPECT_EQ((fill<cl_ushort, float>({CL_DEPTH, CL_UNORM_INT16}, {1, 9, 9, 9})), 65535);
}

TEST_F(ImageFill, PackedFormats) {
  const std::array<float, 4> red = {1, 0, 0, 0}, green = {0, 1, 0, 0}, blue = {0, 0, 1, 0},
                             alpha = {0, 0, 0, 1};
  const auto word = [&](cl_uint order, cl_uint type, const std::array<float, 4>& color) {
    return fill<cl_uint, float>({order, type}, color);
  };
  const auto half_word = [&](cl_uint type, const std::array<float, 4>& color) {
    return fill<cl_ushort, float>({CL_RGB, type}, color);
  };
  EXPECT_EQ(half_word(CL_UNORM_SHORT_565, red), 0xf800);
  EXPECT_EQ(half_word(CL_UNORM_SHORT_565, green), 0x07e0);
  EXPECT_EQ(half_word(CL_UNORM_SHORT_565, blue), 0x001f);
  EXPECT_EQ(half_word(CL_UNORM_SHORT_555, red), 0x7c00);
  EXPECT_EQ(half_word(CL_UNORM_SHORT_555, green), 0x03e0);
  EXPECT_EQ(half_word(CL_UNORM_SHORT_555, blue), 0x001f);
  EXPECT_EQ(word(CL_RGB, CL_UNORM_INT_101010, red), 0x3ff00000u);
  EXPECT_EQ(word(CL_RGB, CL_UNORM_INT_101010, green), 0x000ffc00u);
  EXPECT_EQ(word(CL_RGB, CL_UNORM_INT_101010, blue), 0x000003ffu);
  EXPECT_EQ(word(CL_RGBA, CL_UNORM_INT_101010_2, red), 0xffc00000u);
  EXPECT_EQ(word(CL_RGBA, CL_UNORM_INT_101010_2, green), 0x003ff000u);
  EXPECT_EQ(word(CL_RGBA, CL_UNORM_INT_101010_2, blue), 0x00000ffcu);
  EXPECT_EQ(word(CL_RGBA, CL_UNORM_INT_101010_2, alpha), 0x00000003u);
  constexpr cl_uint k2_101010 = 0x10E5; // CL_UNORM_INT_2_101010_EXT
  EXPECT_EQ(word(CL_ABGR, k2_101010, alpha), 0xc0000000u);
  EXPECT_EQ(word(CL_ABGR, k2_101010, blue), 0x3ff00000u);
  EXPECT_EQ(word(CL_ABGR, k2_101010, green), 0x000ffc00u);
  EXPECT_EQ(word(CL_ABGR, k2_101010, red), 0x000003ffu);
  // CL_UNORM_INT10X6_EXT and the like: in the upper bits.
  EXPECT_EQ(this->red<cl_ushort>(0x10E1, 1), 0xffc0);
  EXPECT_EQ(this->red<cl_ushort>(0x10E9, 1), 0xfff0);
  EXPECT_EQ(this->red<cl_ushort>(0x10EA, 1), 0xfffc);
  EXPECT_EQ((fill<cl_ushort, cl_uint>({CL_R, 0x10E6}, {5, 0, 0, 0})), 5 << 6);
  EXPECT_EQ((fill<cl_ushort, cl_uint>({CL_R, 0x10E7}, {5000, 0, 0, 0})), 0xfff0);
  EXPECT_EQ((fill<cl_ushort, cl_uint>({CL_R, 0x10E8}, {5, 0, 0, 0})), 5 << 2);
}

TEST_F(ImageFill, Srgb) {
  for (int i = 0; i <= 1000; ++i) {
    const float linear = static_cast<float>(i) / 1000;
    const double curved =
        linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    const auto wanted = static_cast<cl_uint>(std::nearbyint(curved * 255));
    const auto got =
        fill<cl_uint, float>({CL_sRGBA, CL_UNORM_INT8}, {linear, linear, linear, linear});
    EXPECT_EQ(got & 0xff, wanted) << linear;
    EXPECT_EQ(got >> 16 & 0xff, wanted) << linear;
    EXPECT_EQ(got >> 24, static_cast<cl_uint>(std::nearbyint(linear * 255.0))) << linear;
  }
  const auto extremes =
      fill<cl_uint, float>({CL_sBGRA, CL_UNORM_INT8}, {2, std::nanf(""), -1, 0.5f});
  EXPECT_EQ(extremes, 0x80ff0000u);
}

TEST_F(ImageFill, RegionsOfEachType) {
  for (const auto type : kImageTypes)
    for (const auto& format :
         {cl_image_format{CL_R, CL_UNSIGNED_INT8}, cl_image_format{CL_RGBA, CL_UNSIGNED_INT32}}) {
      const size_t element = format.image_channel_order == CL_R ? 1 : 16;
      const AnyImage made(context_, type, {700, 9, 5}, format, element);
      Triple origin = kNoOrigin, region = {1, 1, 1};
      for (size_t i = 0; i != 3; ++i)
        if (made.size[i] > 2) {
          origin[i] = 1;
          region[i] = made.size[i] - 2;
        }
      const cl_uint color[4] = {11, 12, 13, 14};
      ASSERT_EQ(clEnqueueFillImage(queue_, made.image, color, origin.data(), region.data(), 0,
                                   nullptr, nullptr),
                CL_SUCCESS);
      Texels model(made.size, element), filled(region, element);
      const unsigned char byte = 11;
      for (size_t i = 0; i != region[0] * region[1] * region[2]; ++i)
        std::memcpy(filled.data() + i * element,
                    element == 1 ? static_cast<const void*>(&byte) : color, element);
      model.copy(origin, filled, {0, 0, 0}, region);
      EXPECT_TRUE(read_image(queue_, made.image, made.size, element) == model) << type;
    }
}

// Large enough for several threads.
TEST_F(ImageFill, LargeRegion) {
  const Triple size = {1003, 2001, 1};
  const auto image =
      make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, 1003, 2001), {CL_RG, CL_FLOAT});
  const float color[4] = {1.5f, -2.5f, 0, 0};
  const Triple origin = {1, 1, 0}, region = {1001, 1999, 1};
  ASSERT_EQ(
      clEnqueueFillImage(queue_, image, color, origin.data(), region.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  Texels model(size, 8), filled(region, 8);
  for (size_t i = 0; i != 1001 * 1999; ++i)
    std::memcpy(filled.data() + i * 8, color, 8);
  model.copy(origin, filled, {0, 0, 0}, region);
  EXPECT_TRUE(read_image(queue_, image, size, 8) == model);
}

} // namespace
} // namespace heddle::test
