// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_bfloat16_conversions: every bfloat16, and floats next to them and to their middles.
#include "tests/api/api_test.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace heddle::test {
namespace {

constexpr size_t kEvery = 65536;

cl_ushort rounded(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t low = bits & 0xffff, high = bits >> 16;
  return static_cast<cl_ushort>(high + (low > 0x8000 || (low == 0x8000 && (high & 1) != 0)));
}

TEST(Bfloat16, ToFloat) {
  std::vector<cl_ushort> in(kEvery);
  for (size_t i = 0; i != kEvery; ++i)
    in[i] = static_cast<cl_ushort>(i);
  const auto out = compute<cl_uint>(
      "kernel void k(global uint* out, global const ushort* in) { size_t i = get_global_id(0);"
      "out[i] = as_uint(intel_convert_as_bfloat16_float(in[i])); }",
      "", {{kEvery}, {64}, {}}, kEvery, in);
  for (size_t i = 0; i != kEvery; ++i)
    ASSERT_EQ(out[i], i << 16);
}

TEST(Bfloat16, FromFloatRoundsToNearestEven) {
  std::vector<cl_float> in;
  for (std::uint32_t high = 0; high != kEvery; ++high)
    for (const std::uint32_t low : {0x0000U, 0x0001U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU})
      in.push_back(std::bit_cast<float>(high << 16 | low));
  in.resize(in.size() / 64 * 64);
  for (const char* expression : {"intel_convert_bfloat16_as_ushort(in[i])",
                                 "intel_convert_bfloat163_as_ushort3((float3)(0, in[i], 1)).y",
                                 "intel_convert_bfloat1616_as_ushort16((float16)(in[i])).sf"}) {
    const auto out =
        compute<cl_ushort>(std::string("kernel void k(global ushort* out, global const float* in) {"
                                       "size_t i = get_global_id(0); out[i] = ") +
                               expression + "; }",
                           "", {{in.size()}, {64}, {}}, in.size(), in);
    for (size_t i = 0; i != in.size(); ++i) {
      if (std::isnan(in[i]))
        ASSERT_TRUE((out[i] & 0x7fff) > 0x7f80) << expression << ' ' << i;
      else
        ASSERT_EQ(out[i], rounded(in[i])) << expression << ' ' << std::hexfloat << in[i];
    }
  }
}

TEST(Bfloat16, IsReported) {
  EXPECT_NE(device_text(CL_DEVICE_EXTENSIONS).find("cl_intel_bfloat16_conversions"),
            std::string::npos);
}

} // namespace
} // namespace heddle::test
