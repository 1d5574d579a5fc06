// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vloada_half and vstorea_half of one half, which OpenCL C lists for vectors only.
#include "tests/api/api_test.h"
#include "tests/api/half_bits.h"

namespace heddle::test {
namespace {

struct Form {
  const char* suffix;
  HalfRounding rounding;
};
const Form kForms[] = {{"", HalfRounding::nearest},
                       {"_rte", HalfRounding::nearest},
                       {"_rtz", HalfRounding::zero},
                       {"_rtp", HalfRounding::up},
                       {"_rtn", HalfRounding::down}};

class BuiltinAlias : public ApiTest {};

TEST_F(BuiltinAlias, LoadsOfEveryHalf) {
  constexpr size_t kCount = 65536;
  std::vector<cl_half> bits(kCount);
  for (size_t i = 0; i != kCount; ++i)
    bits[i] = static_cast<cl_half>(i);
  const auto in = make_buffer(context_, kCount * 2, bits.data(), CL_MEM_COPY_HOST_PTR);
  const auto out = make_buffer(context_, kCount * 4);
  const auto kernel = make_kernel(build(context_, R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global const half* in, global float* out, local half* tile) {
      size_t i = get_global_id(0), l = get_local_id(0);
      vstorea_half(vloada_half(i, in), l, tile);
      barrier(CLK_LOCAL_MEM_FENCE);
      half own;
      vstorea_half(vloada_half(l, tile), 0, &own);
      out[i] = vloada_half(0, &own);
    })"),
                                  "k");
  set_args(kernel, in, out, Local{128});
  run(queue_, kernel, {{kCount}, {64}, {}});
  const auto got = read<float>(queue_, out, kCount);
  for (size_t i = 0; i != kCount; ++i) {
    const auto wanted = half_value(bits[i]);
    ASSERT_TRUE(static_cast<double>(got[i]) == wanted || (std::isnan(got[i]) && std::isnan(wanted)))
        << i;
  }
}

TEST_F(BuiltinAlias, StoresInEveryRounding) {
  std::vector<double> values;
  for (const double value : {0.0, -0.0, 1.0, 1.0 / 3, 2047.5, 65504.0, 65519.9, 65520.0, 1e6, 3e-8,
                             5.9604645e-8, 6.1e-5, 1.00048828125, 1.0009765625})
    for (const double sign : {1.0, -1.0})
      values.push_back(sign * value);
  const auto count = values.size();
  std::vector<float> floats(values.begin(), values.end());
  const auto in = make_buffer(context_, count * 4, floats.data(), CL_MEM_COPY_HOST_PTR);
  const auto in_doubles = make_buffer(context_, count * 8, values.data(), CL_MEM_COPY_HOST_PTR);
  const auto out = make_buffer(context_, count * 2), out_doubles = make_buffer(context_, count * 2);
  for (const auto& form : kForms) {
    SCOPED_TRACE(form.suffix);
    const auto function = std::string("vstorea_half") + form.suffix;
    const auto kernel =
        make_kernel(build(context_, "kernel void k(global const float* in, global const double* "
                                    "in_doubles, global half* out, global half* out_doubles) {"
                                    "  size_t i = get_global_id(0);" +
                                        function + "(in[i], i, out);" + function +
                                        "(in_doubles[i], i, out_doubles); }"),
                    "k");
    set_args(kernel, in, in_doubles, out, out_doubles);
    run(queue_, kernel, {{count}, {}, {}});
    const auto got = read<cl_half>(queue_, out, count);
    const auto got_doubles = read<cl_half>(queue_, out_doubles, count);
    for (size_t i = 0; i != count; ++i) {
      EXPECT_EQ(got[i], to_half(static_cast<double>(floats[i]), form.rounding)) << values[i];
      EXPECT_EQ(got_doubles[i], to_half(values[i], form.rounding)) << values[i];
    }
  }
}

// As it has to be on drivers that have no such functions.
TEST_F(BuiltinAlias, ProgramsMayHaveTheirOwn) {
  const auto kernel = make_kernel(build(context_, R"(
    float vloada_half(int i) { return i + 0.5f; }
    #define vstorea_half(x, i, p) p[i] = (x) * 2
    kernel void k(global float* out) { vstorea_half(vloada_half(3), 0, out); })"),
                                  "k");
  const auto out = make_buffer(context_, 4);
  set_args(kernel, out);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(read<float>(queue_, out, 1)[0], 7.0F);
}

} // namespace
} // namespace heddle::test
