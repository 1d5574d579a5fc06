// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units for the formats and samplers that a kernel is launched with give the results of the generic
// one. Child processes run with other settings, because the driver reads the environment once.
#include "tests/api/api_test.h"
#include "tests/api/images.h"

#include <CL/cl_ext.h>

#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace heddle::test {
namespace {

constexpr const char* kSource = R"(
  kernel void floats(read_only image2d_t from, sampler_t s, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += read_imagef(from, s, (float2)(at.x * 0.7f + i, at.y * 1.1f - i)) * 0.3f;
    write_imagef(to, at, sum);
  }
  kernel void ints(read_only image2d_t from, sampler_t s, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagei(to, at, read_imagei(from, s, (int2)(at.x - 3, at.y + 2)) / 2);
  }
  kernel void uints(read_only image2d_t from, sampler_t s, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(to, at, read_imageui(from, s, (int2)(at.x - 3, at.y + 2)) / 2);
  })";

struct Case {
  const char* kernel;
  cl_image_format format;
  size_t bytes; // of an element
};
// Of each way to store colors, and of orders that are rare.
constexpr Case kCases[] = {{"floats", {CL_RGBA, CL_UNORM_INT8}, 4},
                           {"floats", {CL_BGRA, CL_UNORM_INT8}, 4},
                           {"floats", {CL_ARGB, CL_SNORM_INT8}, 4},
                           {"floats", {CL_R, CL_SNORM_INT16}, 2},
                           {"floats", {CL_sRGBA, CL_UNORM_INT8}, 4},
                           {"floats", {CL_INTENSITY, CL_FLOAT}, 4},
                           {"floats", {CL_LUMINANCE, CL_UNORM_INT16}, 2},
                           {"floats", {CL_RGB, CL_UNORM_SHORT_565}, 2},
                           {"floats", {CL_RGB, CL_UNORM_INT_101010}, 4},
                           {"floats", {CL_RGBA, CL_HALF_FLOAT}, 8},
                           {"floats", {CL_RG, CL_FLOAT}, 8},
                           {"floats", {CL_A, CL_UNORM_INT8}, 1},
                           {"floats", {CL_RA, CL_SNORM_INT8}, 2},
                           {"ints", {CL_RGBA, CL_SIGNED_INT16}, 8},
                           {"ints", {CL_R, CL_SIGNED_INT32}, 4},
                           {"uints", {CL_R, CL_UNSIGNED_INT8}, 1},
                           {"uints", {CL_RGBA, CL_UNSIGNED_INT32}, 16},
                           {"uints", {CL_RG, CL_UNSIGNED_INT16}, 4}};
constexpr size_t kWidth = 48, kHeight = 24;

// Random bits, but no infinities and NaNs.
std::vector<cl_uchar> contents(const Case& c) {
  std::minstd_rand random(17);
  std::vector<cl_uchar> bytes(kWidth * kHeight * c.bytes);
  for (auto& byte : bytes)
    byte = static_cast<cl_uchar>(random() >> 8);
  const auto type = c.format.image_channel_data_type;
  const size_t step = type == CL_FLOAT ? 4 : type == CL_HALF_FLOAT ? 2 : 0;
  for (size_t i = step; step != 0 && i <= bytes.size(); i += step)
    bytes[i - 1] = (bytes[i - 1] & 0x80) | 0x3b;
  return bytes;
}

struct SamplerCase {
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};
constexpr SamplerCase kSamplers[] = {{CL_ADDRESS_CLAMP, CL_FILTER_NEAREST},
                                     {CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR}};

void append_results(cl_context context, cl_command_queue queue, cl_kernel kernel, const Case& c,
                    std::string& all) {
  const auto desc = describe(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight);
  auto values = contents(c);
  const auto from =
      make_image(context, desc, c.format, values.data(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
  const auto to = make_image(context, desc, c.format, nullptr, CL_MEM_WRITE_ONLY);
  for (const auto& [addressing, filter] : kSamplers) {
    if (filter == CL_FILTER_LINEAR && std::string(c.kernel) != "floats")
      continue;
    const Sampler sampler(clCreateSampler(context, CL_FALSE, addressing, filter, nullptr));
    set_args(kernel, from.get(), sampler.get(), to.get());
    run(queue, kernel, {{kWidth, kHeight}, {16, 4}, {}});
    const size_t origin[3] = {0, 0, 0}, region[3] = {kWidth, kHeight, 1};
    check(clEnqueueReadImage(queue, to, CL_TRUE, origin, region, 0, 0, values.data(), 0, nullptr,
                             nullptr),
          "clEnqueueReadImage");
    all.append(reinterpret_cast<const char*>(values.data()), values.size());
  }
}

// The digest of all results, for the comparison with another setting.
std::string digest_of_all() {
  const auto context = make_context();
  const auto queue = make_queue(context);
  std::string all;
  // A program for each few cases, as a kernel has few units.
  for (size_t first = 0; first < std::size(kCases); first += 4) {
    const auto program = build(context, kSource, "-cl-std=CL3.0");
    std::vector<Kernel> kernels;
    for (size_t i = first; i < std::min(first + 4, std::size(kCases)); ++i)
      kernels.push_back(make_kernel(program, kCases[i].kernel));
    for (int again = 0; again < 2; ++again)
      for (size_t i = 0; i < kernels.size(); ++i)
        append_results(context, queue, kernels[i], kCases[first + i], all);
  }
  return std::to_string(std::hash<std::string>()(all));
}

// Launches in turn without and with overlapping arguments, which have units of their own: those for
// arguments that do not overlap load *from once, before the loop.
TEST(ImageUnitsChild, DISABLED_TakeOverlappingArguments) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto kernel = make_kernel(build(context, R"(
      kernel void add(read_only image2d_t image, global uint* to, global const uint* from, int n) {
        uint sum = 0;
        for (int i = 0; i < n; ++i) {
          *to = i + get_image_width(image);
          sum += *from;
        }
        to[1] = sum;
      })",
                                        "-cl-std=CL3.0"),
                                  "add");
  const auto image = make_image(context, describe(CL_MEM_OBJECT_IMAGE2D, kWidth, 1),
                                {CL_R, CL_UNSIGNED_INT8}, nullptr, CL_MEM_READ_ONLY);
  constexpr cl_uint kCount = 100;
  const std::vector<cl_uint> values = {7, 0};
  for (const bool overlap : {false, true, false, true}) {
    const auto to = make_buffer(context, values.size() * sizeof(cl_uint), values.data());
    const auto from = make_buffer(context, values.size() * sizeof(cl_uint), values.data());
    set_args(kernel, image.get(), to.get(), overlap ? to.get() : from.get(),
             static_cast<cl_int>(kCount));
    run(queue, kernel, {{1}, {1}, {}});
    std::vector<cl_uint> results(values.size());
    check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, results.size() * sizeof(cl_uint),
                              results.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    cl_uint expected = 0;
    for (cl_uint i = 0; i < kCount; ++i)
      expected += overlap ? i + kWidth : values[0];
    EXPECT_EQ(results[1], expected) << "overlap: " << overlap;
  }
}

TEST(ImageUnitsChild, DISABLED_HaveTheResults) {
  EXPECT_EQ(digest_of_all(), std::getenv("HEDDLE_TEST_DIGEST"));
}

// Runs a test above in a process that has the variable.
void expect_in_child(const std::string& test, const char* variable, const char* value) {
  setenv(variable, value, 1);
  const auto result = run_self(
      {"--gtest_filter=ImageUnitsChild.DISABLED_" + test, "--gtest_also_run_disabled_tests"});
  EXPECT_TRUE(WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0)
      << variable << "=" << value << "\n"
      << result.output;
  unsetenv(variable);
}

// Not in code without optimizations, which takes any arguments of all kernels.
TEST(ImageUnits, TakeOverlappingArguments) {
  expect_in_child("TakeOverlappingArguments", "HEDDLE_PLAIN_WORK", "0");
}

TEST(ImageUnits, GiveTheSameResults) {
  for (const char* setting : {"off", "each"}) {
    setenv("HEDDLE_TEST_DIGEST", digest_of_all().c_str(), 1);
    expect_in_child("HaveTheResults", "HEDDLE_VARIANTS", setting);
    unsetenv("HEDDLE_TEST_DIGEST");
  }
}

} // namespace
} // namespace heddle::test
