// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers: addressing, filters and coordinates of every type of image, on every ISA level.
#include "tests/compiler/image_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace heddle::test {
namespace {

constexpr int kPlaces = 1000;
constexpr Range kRange{{kPlaces, 1, 1}, {64, 1, 1}, {0, 0, 0}};

const char* const kSource = R"(
#define KERNEL(name, type, place)                                                                 \
  kernel void name(read_only type image, sampler_t sampler, global const float4* in,              \
                   global float4* out) {                                                          \
    float4 p = in[get_global_id(0)];                                                              \
    out[get_global_id(0)] = (float4)read_imagef(image, sampler, place);                           \
  }
KERNEL(sample_1d, image1d_t, p.x)
KERNEL(sample_1d_array, image1d_array_t, p.xw)
KERNEL(sample_2d, image2d_t, p.xy)
KERNEL(sample_2d_array, image2d_array_t, p.xyww)
KERNEL(sample_3d, image3d_t, p)
KERNEL(sample_2d_depth, image2d_depth_t, p.xy)
KERNEL(sample_2d_array_depth, image2d_array_depth_t, p.xyww)
KERNEL(texel_2d, image2d_t, (int2)((int)p.x, (int)p.y))
kernel void integers(read_only image2d_t image, sampler_t sampler, global const float4* in,
                     global int4* out) {
  out[get_global_id(0)] = read_imagei(image, sampler, in[get_global_id(0)].xy);
}
)";

struct Type {
  const char* kernel;
  int dimensions;
  ImageSize size;
  bool is_depth = false;
};
constexpr Type kTypes[] = {{"sample_1d", 1, {13}},
                           {"sample_1d_array", 1, {13, 1, 1, 5}},
                           {"sample_2d", 2, {13, 7}},
                           {"sample_2d_array", 2, {13, 7, 1, 5}},
                           {"sample_3d", 3, {13, 7, 5}},
                           {"sample_2d_depth", 2, {13, 7}, true},
                           {"sample_2d_array_depth", 2, {13, 7, 1, 5}, true}};

std::vector<std::uint32_t> samplers() {
  std::vector<std::uint32_t> made;
  for (const auto filter : {HEDDLE_SAMPLER_NEAREST, HEDDLE_SAMPLER_LINEAR})
    for (const auto addressing :
         {HEDDLE_SAMPLER_ADDRESS_NONE, HEDDLE_SAMPLER_CLAMP_TO_EDGE, HEDDLE_SAMPLER_CLAMP,
          HEDDLE_SAMPLER_REPEAT, HEDDLE_SAMPLER_MIRRORED_REPEAT})
      for (const auto normalized : {0U, HEDDLE_SAMPLER_NORMALIZED})
        if (normalized != 0 || addressing < HEDDLE_SAMPLER_REPEAT) // else undefined
          made.push_back(filter | addressing | normalized);
  return made;
}

using Place = std::array<float, 4>;

// Coordinates in and around the image, on and near borders of texels; w is a layer.
std::vector<Place> places(const ImageSize& size, bool normalized, std::mt19937& random) {
  const int sizes[] = {size.width, size.height, size.depth};
  std::vector<Place> made(kPlaces);
  for (auto& place : made) {
    for (int d = 0; d < 3; ++d) {
      const auto u = static_cast<float>(static_cast<int>(random() % 6001) - 2000) / 2000.0F;
      place[d] = normalized ? u : u * static_cast<float>(sizes[d]);
    }
    place[3] = static_cast<float>(static_cast<int>(random() % 24)) / 3.0F - 1;
  }
  return made;
}

int layer_of(float w, const ImageSize& size) {
  return static_cast<int>(std::clamp(std::nearbyint(w), 0.0F, static_cast<float>(size.layers - 1)));
}

class ImageSamplers : public testing::TestWithParam<std::string> {
 protected:
  static Program& program(const std::string& cpu = GetParam()) {
    static std::map<std::string, std::unique_ptr<Program>> programs;
    auto& found = programs[cpu];
    if (!found) {
      BuildInput input{kSource, {"-cl-std=CL3.0"}};
      input.extensions += kImageExtensions;
      input.cpu = cpu;
      found = std::make_unique<Program>(input);
    }
    return *found;
  }

  static std::vector<Place> run(const std::string& kernel, TestImage& image, std::uint32_t sampler,
                                const std::vector<Place>& in, const std::string& cpu = GetParam()) {
    std::vector<Place> out(in.size());
    program(cpu).run(
        kernel, kRange,
        {image.argument(), bytes(std::uint64_t{sampler}), bytes(in.data()), bytes(out.data())});
    return out;
  }
};

// Whether a coordinate is so near to where the result jumps that rounding may take either side.
bool is_near_edge(const Place& place, const Type& type, std::uint32_t sampler) {
  if (sampler & HEDDLE_SAMPLER_LINEAR)
    return false;
  const int sizes[] = {type.size.width, type.size.height, type.size.depth};
  for (int d = 0; d < type.dimensions; ++d) {
    const double u = place[d] * (sampler & HEDDLE_SAMPLER_NORMALIZED ? sizes[d] : 1.0);
    if (std::fabs(u - std::nearbyint(u)) < 1e-4)
      return true;
  }
  return false;
}

void check(const Type& type, TestImage& image, std::uint32_t sampler, const std::vector<Place>& in,
           const std::vector<Place>& out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (is_near_edge(in[i], type, sampler))
      continue;
    const auto expected = sample(image, type.dimensions, sampler, {in[i][0], in[i][1], in[i][2]},
                                 layer_of(in[i][3], type.size));
    for (int c = 0; c < 4; ++c)
      ASSERT_NEAR(out[i][c], expected[type.is_depth ? 0 : c],
                  sampler & HEDDLE_SAMPLER_LINEAR ? 2e-5 : 1e-7)
          << type.kernel << ' ' << image.format().name << " sampler " << sampler << " at "
          << in[i][0] << ' ' << in[i][1] << ' ' << in[i][2] << ' ' << in[i][3];
  }
}

TEST_P(ImageSamplers, AddressAndFilterAsSpecified) {
  std::mt19937 random(4);
  const ImageFormat formats[] = {
      image_format(CL_RGBA, CL_UNORM_INT8),      image_format(CL_R, CL_FLOAT),
      image_format(CL_RGBA, CL_FLOAT),           image_format(CL_RG, CL_UNORM_INT16),
      image_format(CL_RGBx, CL_UNORM_INT8),      image_format(CL_BGRA, CL_UNORM_INT8),
      image_format(CL_LUMINANCE, CL_HALF_FLOAT), image_format(CL_A, CL_SNORM_INT16),
      image_format(CL_sRGBA, CL_UNORM_INT8),     image_format(CL_RGB, CL_UNORM_SHORT_565)};
  const ImageFormat depths[] = {image_format(CL_DEPTH, CL_FLOAT),
                                image_format(CL_DEPTH, CL_UNORM_INT16)};
  for (const auto& type : kTypes)
    for (const auto& format : type.is_depth ? std::span<const ImageFormat>(depths)
                                            : std::span<const ImageFormat>(formats)) {
      TestImage image(format, type.size);
      image.fill_randomly(5);
      for (const auto sampler : samplers()) {
        const auto in = places(type.size, sampler & HEDDLE_SAMPLER_NORMALIZED, random);
        check(type, image, sampler, in, run(type.kernel, image, sampler, in));
        if (HasFatalFailure())
          return;
      }
    }
}

// Nothing is read outside of the image, and the results do not depend on the processor.
TEST_P(ImageSamplers, WildCoordinates) {
  static constexpr float kWild[] = {NAN,    INFINITY,      -INFINITY,      3e38F,
                                    -3e38F, 2147483648.0F, -2147483904.0F, 4294967296.0F,
                                    1e-40F, -0.0F,         -1e-30F,        1e9F};
  std::mt19937 random(6);
  for (const auto& type : kTypes) {
    TestImage image(image_format(type.is_depth ? CL_DEPTH : CL_RGBA, CL_FLOAT), type.size);
    image.fill_randomly(7);
    for (const auto sampler : samplers()) {
      auto in = places(type.size, sampler & HEDDLE_SAMPLER_NORMALIZED, random);
      for (auto& place : in)
        for (auto& c : place)
          if (random() % 2 == 0)
            c = kWild[random() % std::size(kWild)];
      const auto out = run(type.kernel, image, sampler, in);
      const auto same = run(type.kernel, image, sampler, in, cpu_levels().front());
      for (std::size_t i = 0; i < in.size(); ++i)
        for (int c = 0; c < 4; ++c)
          if (!std::isnan(out[i][c]) || !std::isnan(same[i][c])) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i][c]),
                      std::bit_cast<std::uint32_t>(same[i][c]))
                << type.kernel << " sampler " << sampler << " at " << in[i][0] << ' ' << in[i][1]
                << ' ' << in[i][2] << ' ' << in[i][3];
          }
    }
  }
}

TEST_P(ImageSamplers, IntegerCoordinatesAreIndices) {
  const Type& type = kTypes[2];
  std::mt19937 random(8);
  TestImage image(image_format(CL_R, CL_UNORM_INT8), type.size);
  image.fill_randomly(9);
  for (const auto addressing :
       {HEDDLE_SAMPLER_ADDRESS_NONE, HEDDLE_SAMPLER_CLAMP_TO_EDGE, HEDDLE_SAMPLER_CLAMP}) {
    const auto in = places(type.size, false, random);
    const auto out = run("texel_2d", image, addressing | HEDDLE_SAMPLER_NEAREST, in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto expected = sample(image, 2, addressing,
                                   {std::trunc(in[i][0]) + 0.5F, std::trunc(in[i][1]) + 0.5F, 0});
      for (int c = 0; c < 4; ++c)
        ASSERT_FLOAT_EQ(out[i][c], static_cast<float>(expected[c])) << i;
    }
  }
}

TEST_P(ImageSamplers, IntegerImagesHaveABorder) {
  const Type& type = kTypes[2];
  std::mt19937 random(10);
  TestImage image(image_format(CL_RG, CL_SIGNED_INT16), type.size);
  image.fill_randomly(11);
  const auto in = places(type.size, true, random);
  const auto sampler = HEDDLE_SAMPLER_NORMALIZED | HEDDLE_SAMPLER_CLAMP | HEDDLE_SAMPLER_NEAREST;
  std::vector<std::array<std::int32_t, 4>> out(in.size());
  program().run(
      "integers", kRange,
      {image.argument(), bytes(std::uint64_t{sampler}), bytes(in.data()), bytes(out.data())});
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (is_near_edge(in[i], type, sampler))
      continue;
    const auto expected = sample(image, 2, sampler, {in[i][0], in[i][1], 0});
    for (int c = 0; c < 4; ++c)
      ASSERT_EQ(out[i][c], static_cast<std::int32_t>(expected[c])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, ImageSamplers, testing::ValuesIn(cpu_levels()), name_of_level);

} // namespace
} // namespace heddle::test
