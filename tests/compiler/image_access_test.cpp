// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels do with images beside sampling: writes to every type, bounds, queries, levels,
// halves, literal samplers, and the description of arguments.
#include "tests/compiler/image_model.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <cmath>

namespace heddle::test {
namespace {

Program& program() {
  static Program made([] {
    BuildInput input{R"(
#define WRITE(name, type, place)                                                                  \
  kernel void name(write_only type image, int x0) {                                               \
    int x = (int)get_global_id(0) + x0, y = (int)get_global_id(1) + x0,                           \
        z = (int)get_global_id(2) + x0;                                                           \
    write_imageui(image, place, (uint4)(x + 100, y + 100, z + 100, 7));                           \
  }
WRITE(write_1d, image1d_t, x)
WRITE(write_1d_buffer, image1d_buffer_t, x)
WRITE(write_1d_array, image1d_array_t, ((int2)(x, z)))
WRITE(write_2d, image2d_t, ((int2)(x, y)))
WRITE(write_2d_array, image2d_array_t, ((int4)(x, y, z, 0)))
WRITE(write_3d, image3d_t, ((int4)(x, y, z, 0)))
kernel void write_depth(write_only image2d_depth_t image) {
  write_imagef(image, (int2)((int)get_global_id(0), (int)get_global_id(1)),
               0.25f * get_global_id(0) + get_global_id(1));
}

kernel void queries(read_only image3d_t a, write_only image2d_array_t b, read_write image1d_t c,
                    read_only image2d_depth_t d, read_only image1d_buffer_t e, global int* out) {
  int i = 0;
  out[i++] = get_image_width(a); out[i++] = get_image_height(a); out[i++] = get_image_depth(a);
  out[i++] = get_image_channel_data_type(a); out[i++] = get_image_channel_order(a);
  out[i++] = get_image_dim(a).z; out[i++] = get_image_dim(a).w;
  out[i++] = get_image_dim(b).y; out[i++] = (int)get_image_array_size(b);
  out[i++] = get_image_width(c); out[i++] = get_image_height(d); out[i++] = get_image_width(e);
  out[i++] = get_image_num_mip_levels(a);
}

kernel void halves(read_only image2d_t image, write_only image2d_t to, sampler_t sampler) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  write_imageh(to, at, read_imageh(image, sampler, at));
}

constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
float4 through_function(read_only image2d_t image, sampler_t sampler, float2 place) {
  return read_imagef(image, sampler, place);
}
kernel void literal_samplers(read_only image2d_t image, sampler_t argument, global float4* out) {
  const sampler_t edge = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
  size_t i = get_global_id(0);
  float2 place = (float2)((float)i * 0.37f - 3.1f, (float)i * 0.21f - 1.3f);
  out[i * 4] = read_imagef(image, border, place);
  out[i * 4 + 1] = read_imagef(image, edge, place);
  out[i * 4 + 2] = through_function(image, border, place);
  out[i * 4 + 3] = through_function(image, argument, place);
}

kernel void levels(read_only image2d_t image, sampler_t sampler, global const float4* in,
                   global float4* out) {
  size_t i = get_global_id(0);
  out[2 * i] = read_imagef(image, sampler, in[i].xy, in[i].z);
  out[2 * i + 1] = read_imagef(image, sampler, in[i].xy, (float2)(in[i].w, 0), (float2)(0, in[i].w));
}
kernel void write_levels(write_only image2d_t image, int level) {
  write_imagef(image, (int2)((int)get_global_id(0), (int)get_global_id(1)), level, (float4)(level + 1));
}
)",
                     {"-cl-std=CL3.0"}};
    input.extensions += kImageExtensions;
    return input;
  }());
  return made;
}

// Work-items before, in and after the image in each dimension: only those inside write.
void check_write(const char* kernel, const ImageSize& size) {
  TestImage image(image_format(CL_RGBA, CL_UNSIGNED_INT16), size);
  const auto slices = size.depth * size.layers;
  const auto range = [](int n) { return static_cast<std::uint64_t>(n) + 8; };
  program().run(kernel,
                {{range(size.width), size.height > 1 ? range(size.height) : 1,
                  slices > 1 ? range(slices) : 1},
                 {8, 1, 1},
                 {0, 0, 0}},
                {image.argument(), bytes(-3)});
  for (int z = 0; z < slices; ++z)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        std::uint16_t texel[4];
        std::memcpy(texel, image.texel(x, y, z), sizeof texel);
        ASSERT_EQ(texel[0], x + 100) << kernel << ' ' << x << ' ' << y << ' ' << z;
        if (size.height > 1) {
          ASSERT_EQ(texel[1], y + 100) << kernel;
        }
        if (slices > 1) {
          ASSERT_EQ(texel[2], z + 100) << kernel;
        }
        ASSERT_EQ(texel[3], 7) << kernel;
      }
}

TEST(ImageAccess, WritesInsideOnly) {
  check_write("write_1d", {21});
  check_write("write_1d_buffer", {21});
  check_write("write_1d_array", {21, 1, 1, 5});
  check_write("write_2d", {21, 6});
  check_write("write_2d_array", {21, 6, 1, 5});
  check_write("write_3d", {21, 6, 5});
}

TEST(ImageAccess, WritesDepth) {
  TestImage image(image_format(CL_DEPTH, CL_FLOAT), {9, 5});
  program().run("write_depth", {{12, 7, 1}, {4, 7, 1}, {0, 0, 0}}, {image.argument()});
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 9; ++x) {
      float value = 0;
      std::memcpy(&value, image.texel(x, y), 4);
      ASSERT_EQ(value, 0.25F * static_cast<float>(x) + static_cast<float>(y));
    }
}

TEST(ImageAccess, Queries) {
  TestImage a(image_format(CL_BGRA, CL_UNORM_INT8), {3, 4, 5}),
      b(image_format(CL_R, CL_FLOAT), {6, 7, 1, 8}), c(image_format(CL_R, CL_FLOAT), {9}),
      d(image_format(CL_DEPTH, CL_FLOAT), {10, 11}), e(image_format(CL_R, CL_FLOAT), {12});
  std::vector<std::int32_t> out(13);
  program().run(
      "queries", {},
      {a.argument(), b.argument(), c.argument(), d.argument(), e.argument(), bytes(out.data())});
  EXPECT_EQ(out,
            (std::vector<std::int32_t>{3, 4, 5, CL_UNORM_INT8, CL_BGRA, 5, 0, 7, 8, 9, 11, 12, 1}));
}

TEST(ImageAccess, HalvesAreKept) {
  TestImage from(image_format(CL_RGBA, CL_HALF_FLOAT), {256, 256}),
      to(image_format(CL_RGBA, CL_HALF_FLOAT), {256, 256});
  for (int i = 0; i < 65536; ++i)
    for (int c = 0; c < 4; ++c) {
      const auto bits = static_cast<std::uint16_t>(i + c * 1000);
      std::memcpy(from.texel(i % 256, i / 256) + c * 2, &bits, 2);
    }
  program().run("halves", {{256, 256, 1}, {64, 1, 1}, {0, 0, 0}},
                {from.argument(), to.argument(),
                 bytes(std::uint64_t{HEDDLE_SAMPLER_CLAMP_TO_EDGE | HEDDLE_SAMPLER_NEAREST})});
  for (int i = 0; i < 65536; ++i)
    for (int c = 0; c < 4; ++c) {
      std::uint16_t is = 0;
      std::memcpy(&is, to.texel(i % 256, i / 256) + c * 2, 2);
      const auto bits = static_cast<std::uint16_t>(i + c * 1000);
      if ((bits & 0x7fff) > 0x7c00)
        ASSERT_GT(is & 0x7fff, 0x7c00);
      else
        ASSERT_EQ(is, bits);
    }
}

TEST(ImageAccess, LiteralSamplers) {
  TestImage image(image_format(CL_R, CL_FLOAT), {13, 7});
  image.fill_randomly(1);
  std::vector<std::array<float, 4>> out(100 * 4);
  const std::uint32_t border = HEDDLE_SAMPLER_CLAMP | HEDDLE_SAMPLER_LINEAR;
  const std::uint32_t mirrored =
      HEDDLE_SAMPLER_NORMALIZED | HEDDLE_SAMPLER_MIRRORED_REPEAT | HEDDLE_SAMPLER_NEAREST;
  const std::uint32_t argument = HEDDLE_SAMPLER_CLAMP_TO_EDGE | HEDDLE_SAMPLER_LINEAR;
  program().run("literal_samplers", {{100, 1, 1}, {10, 1, 1}, {0, 0, 0}},
                {image.argument(), bytes(std::uint64_t{argument}), bytes(out.data())});
  for (int i = 0; i < 100; ++i) {
    const std::array<float, 3> place = {static_cast<float>(i) * 0.37F - 3.1F,
                                        static_cast<float>(i) * 0.21F - 1.3F, 0};
    const std::uint32_t samplers[] = {border, mirrored, border, argument};
    for (int k = 0; k < 4; ++k) {
      const auto expected = sample(image, 2, samplers[k], place);
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(out[i * 4 + k][c], expected[c], 1e-5) << i << ' ' << k;
    }
  }
}

// Levels of one color each: 1, 2, 3, ...
class Levels {
 public:
  static constexpr int kCount = 4;
  Levels() {
    std::uint64_t offset = 0;
    for (int i = 0; i < kCount; ++i) {
      auto& level = levels_[i];
      level.offset = offset;
      level.width = 16 >> i;
      level.height = 8 >> i;
      level.depth = 1;
      level.row_pitch = level.width * std::uint64_t{4};
      level.slice_pitch = level.row_pitch * level.height;
      offset += level.slice_pitch;
    }
    memory_.assign(offset / 4, 0);
    const auto& format = image_format(CL_R, CL_FLOAT);
    image_.data = reinterpret_cast<unsigned char*>(memory_.data());
    image_.width = 16;
    image_.height = 8;
    image_.depth = image_.array_size = 1;
    image_.row_pitch = levels_[0].row_pitch;
    image_.slice_pitch = levels_[0].slice_pitch;
    image_.channel_order = format.order;
    image_.channel_data_type = format.type;
    image_.format = format.word;
    image_.element_size = 4;
    image_.mip_levels = kCount;
    image_.levels = levels_;
  }
  std::vector<std::byte> argument() const { return bytes(&image_); }
  float* first(int level) { return memory_.data() + levels_[level].offset / 4; }
  std::size_t count(int level) const { return levels_[level].slice_pitch / 4; }

 private:
  abi::ImageLevel levels_[kCount]{};
  abi::Image image_{};
  std::vector<float> memory_;
};

TEST(ImageAccess, Mipmaps) {
  Levels image;
  for (int level = -1; level <= Levels::kCount; ++level) // two of them are not there
    program().run("write_levels", {{16, 8, 1}, {8, 1, 1}, {0, 0, 0}},
                  {image.argument(), bytes(level)});
  for (int level = 0; level < Levels::kCount; ++level)
    for (std::size_t i = 0; i < image.count(level); ++i)
      ASSERT_EQ(image.first(level)[i], static_cast<float>(level + 1)) << level;

  struct Case {
    std::uint64_t sampler;
    float lod, expected;
  };
  const std::uint32_t base =
      HEDDLE_SAMPLER_NORMALIZED | HEDDLE_SAMPLER_CLAMP_TO_EDGE | HEDDLE_SAMPLER_LINEAR;
  const auto word = [&](std::uint32_t flags, float least, float most) {
    return abi::sampler_word(base | flags, least, most);
  };
  constexpr float kMax = 3.402823466e38F;
  const auto linear = HEDDLE_SAMPLER_MIP_LINEAR;
  const Case cases[] = {{base, 0, 1},
                        {base, 1.4F, 2},
                        {base, 1.6F, 3},
                        {base, 99, 4},
                        {base, -99, 1},
                        {base | linear, 1.25F, 2.25F},
                        {base | linear, 2.75F, 3.75F},
                        {base | linear, 5, 4},
                        {word(0, 0, kMax), 2, 3},
                        {word(0, 2, kMax), 0, 3},
                        {word(linear, 0.5F, 1.5F), 0, 1.5F},
                        {word(linear, 0.5F, 1.5F), 9, 2.5F},
                        {base, NAN, 1}};
  for (const auto& test : cases) {
    std::vector<std::array<float, 4>> in(20), out(40);
    // Gradients of as many texels as a level of detail has.
    for (auto& place : in)
      place = {0.3F, 0.6F, test.lod, std::exp2(test.lod) / 16};
    program().run("levels", {{20, 1, 1}, {10, 1, 1}, {0, 0, 0}},
                  {image.argument(), bytes(test.sampler), bytes(in.data()), bytes(out.data())});
    for (int i = 0; i < 40; ++i)
      ASSERT_NEAR(out[i][0], test.expected, 1e-5) << test.lod << ' ' << i % 2;
  }
}

TEST(ImageAccess, ArgumentsAreDescribed) {
  const auto& arguments = program().metadata("queries").arguments;
  ASSERT_EQ(arguments.size(), 6U);
  EXPECT_EQ(arguments[0].kind, ArgumentKind::image);
  EXPECT_EQ(arguments[0].image_type, static_cast<cl_uint>(CL_MEM_OBJECT_IMAGE3D));
  EXPECT_EQ(arguments[0].access_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ACCESS_READ_ONLY));
  EXPECT_EQ(arguments[0].address_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ADDRESS_GLOBAL));
  EXPECT_EQ(arguments[0].type_name, "image3d_t");
  EXPECT_EQ(arguments[1].image_type, static_cast<cl_uint>(CL_MEM_OBJECT_IMAGE2D_ARRAY));
  EXPECT_EQ(arguments[1].access_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ACCESS_WRITE_ONLY));
  EXPECT_EQ(arguments[2].image_type, static_cast<cl_uint>(CL_MEM_OBJECT_IMAGE1D));
  EXPECT_EQ(arguments[2].access_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ACCESS_READ_WRITE));
  EXPECT_FALSE(arguments[2].is_depth_image);
  EXPECT_EQ(arguments[3].image_type, static_cast<cl_uint>(CL_MEM_OBJECT_IMAGE2D));
  EXPECT_TRUE(arguments[3].is_depth_image);
  EXPECT_EQ(arguments[4].image_type, static_cast<cl_uint>(CL_MEM_OBJECT_IMAGE1D_BUFFER));
  EXPECT_EQ(arguments[5].kind, ArgumentKind::global_pointer);
  const auto& sampler = program().metadata("halves").arguments[2];
  EXPECT_EQ(sampler.kind, ArgumentKind::sampler);
  EXPECT_EQ(sampler.size, 8U);
  EXPECT_EQ(sampler.image_type, 0U);
  EXPECT_EQ(sampler.address_qualifier, static_cast<cl_uint>(CL_KERNEL_ARG_ADDRESS_PRIVATE));
}

} // namespace
} // namespace heddle::test
