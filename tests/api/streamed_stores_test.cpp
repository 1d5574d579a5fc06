// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that move more data than the caches hold (compiler/optimize/nontemporal_stores.cpp): all
// results are stored, for any alignment, and visible to the next command.
#include "tests/api/api_test.h"

namespace heddle::test {
namespace {

constexpr size_t kItems = size_t{9} << 20; // 8 bytes each are more than 64 MiB

void check_sums(size_t items, size_t shift) {
  std::vector<cl_uint> in(items);
  for (size_t i = 0; i != items; ++i)
    in[i] = static_cast<cl_uint>(i * 2654435761U);
  const auto options = "-DSHIFT=" + std::to_string(shift);
  const auto out = compute<cl_uint>(
      "kernel void k(global uint* out, global const uint* in) { size_t i = get_global_id(0); "
      "out[i + SHIFT] = in[i] + (uint)i; }",
      options.c_str(), {{items}, {}, {}}, items + shift + 1, in);
  for (size_t i = 0; i != shift; ++i)
    ASSERT_EQ(out[i], 0U) << i;
  for (size_t i = 0; i != items; ++i)
    ASSERT_EQ(out[i + shift], in[i] + static_cast<cl_uint>(i)) << i;
  ASSERT_EQ(out[items + shift], 0U);
}

TEST(StreamedStores, WholeLines) { check_sums(kItems, 0); }
TEST(StreamedStores, PartsOfLines) { check_sums(kItems, 3); }
TEST(StreamedStores, LinesAndARest) { check_sums(kItems + 13, 16); }

TEST(StreamedStores, Halves) {
  if (device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_fp16") == std::string::npos)
    GTEST_SKIP() << "no halves";
  constexpr size_t kHalves = (size_t{26} << 20) + 5; // 2 bytes each, more than 48 MiB
  for (const size_t shift : {0, 1, 32}) {
    const auto options = "-DSHIFT=" + std::to_string(shift);
    const auto out =
        compute<cl_half>("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                         "kernel void k(global half* out) { size_t i = get_global_id(0); "
                         "out[i + SHIFT] = as_half((ushort)(i * 40503 & 0x7fff)) * -1.0h; }",
                         options.c_str(), {{kHalves}, {}, {}}, kHalves + shift + 1);
    for (size_t i = 0; i != kHalves; ++i) {
      const auto factor = static_cast<cl_half>(i * 40503 & 0x7fff);
      if (factor <= 0x7c00) { // not for a NaN
        ASSERT_EQ(out[i + shift], factor | 0x8000) << i;
      }
    }
    ASSERT_EQ(out[kHalves + shift], 0);
  }
}

// The second kernel reads the results of the first in other work-items and groups.
TEST(StreamedStores, NextCommandSeesThem) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, R"(
    kernel void one(global uint* out) { size_t i = get_global_id(0); out[i] = (uint)i * 3; }
    kernel void other(global uint* out, global const uint* in) {
      size_t i = get_global_id(0);
      out[i] = in[get_global_size(0) - 1 - i] + 1;
    })");
  constexpr size_t kMore = size_t{18} << 20; // 4 bytes each
  const auto a = make_buffer(context, kMore * 4), b = make_buffer(context, kMore * 4);
  const auto one = make_kernel(program, "one"), other = make_kernel(program, "other");
  check(set_arg(one, 0, a), "clSetKernelArg");
  check(set_arg(other, 0, b), "clSetKernelArg");
  check(set_arg(other, 1, a), "clSetKernelArg");
  run(queue, one, {{kMore}, {}, {}});
  run(queue, other, {{kMore}, {}, {}});
  const auto results = read<cl_uint>(queue, b, kMore);
  for (size_t i = 0; i != kMore; ++i)
    ASSERT_EQ(results[i], static_cast<cl_uint>((kMore - 1 - i) * 3 + 1)) << i;
}

} // namespace
} // namespace heddle::test
