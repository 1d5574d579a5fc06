// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are compiled for a format and a sampler give the same bits as those that find out.
#include "tests/compiler/image_model.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <map>

namespace heddle::test {
namespace {

constexpr int kWidth = 70, kHeight = 5;
constexpr std::uint32_t kSampler =
    HEDDLE_SAMPLER_NORMALIZED | HEDDLE_SAMPLER_CLAMP | HEDDLE_SAMPLER_LINEAR;

std::string source(const std::string& kind) {
  std::string text = R"(
float4 helper(read_only image2d_t image, sampler_t sampler, float2 place) {
  return READ_AS_FLOATS(image, sampler, place);
}
kernel void process(read_only image2d_t from, sampler_t sampler, write_only image2d_t to,
                    global float4* out) {
  int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  float2 place = ((float2)(at.x, at.y) - 3.3f) / 60.0f;
  WRITE(to, at, READ(from, at));
  out[at.y * (int)get_global_size(0) + at.x] =
      READ_AS_FLOATS(from, sampler, place) + helper(from, sampler, place + 0.01f);
})";
  return "#define READ read_image" + kind + "\n#define WRITE write_image" + kind +
         "\n#define READ_AS_FLOATS(i, s, p) convert_float4(read_image" + kind + "(i, s, p))\n" +
         text;
}

BuildInput input_for(const std::string& kind) {
  BuildInput input{source(kind), {"-cl-std=CL3.0"}};
  input.extensions += kImageExtensions;
  return input;
}

struct Output {
  std::vector<std::uint32_t> words;
  std::vector<std::byte> texels;
  bool operator==(const Output&) const = default;
};

Output run(Program& program, const ImageFormat& format) {
  TestImage from(format, {kWidth, kHeight}), to(format, {kWidth, kHeight});
  from.fill_randomly(1);
  Output output;
  output.words.resize(std::size_t{kWidth} * kHeight * 4);
  program.run(
      "process", {{kWidth, kHeight, 1}, {16, 1, 1}, {0, 0, 0}},
      {from.argument(), bytes(std::uint64_t{kSampler}), to.argument(), bytes(output.words.data())});
  for (int y = 0; y < kHeight; ++y)
    output.texels.insert(output.texels.end(), to.texel(0, y), to.texel(kWidth, y));
  return output;
}

TEST(KnownImages, GiveTheSameBits) {
  std::map<std::string, std::unique_ptr<Program>> unknown;
  for (std::size_t i = 0; i < image_formats().size(); i += 4) {
    const auto& format = image_formats()[i];
    auto& general = unknown[format.kind];
    if (!general)
      general = std::make_unique<Program>(input_for(format.kind));
    auto input = input_for(format.kind);
    input.known = {{2, format.word}, {0, format.word}, {1, kSampler}};
    Program known(input);
    ASSERT_TRUE(run(*general, format) == run(known, format)) << format.name;
  }
}

// What is known makes the code shorter.
TEST(KnownImages, AreFolded) {
  auto input = input_for("f");
  const auto general = build(input).units.at("process").size();
  input.known = {{0, image_format(CL_R, CL_FLOAT).word},
                 {1, kSampler},
                 {2, image_format(CL_R, CL_FLOAT).word}};
  EXPECT_LT(build(input).units.at("process").size(), general / 2);
}

} // namespace
} // namespace heddle::test
