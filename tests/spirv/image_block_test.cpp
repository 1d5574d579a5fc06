// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpSubgroupImageBlockReadINTEL and OpSubgroupImageBlockWriteINTEL (SPV_INTEL_subgroups).
#include "tests/api/support.h"
#include "tests/spirv/module_builder.h"

#include <gtest/gtest.h>

namespace {

using namespace heddle::test;

constexpr size_t kWidth = 64, kHeight = 4, kLanes = 16;
constexpr Word kBlockRead = 5577, kBlockWrite = 5578;

// k(read_only image2d_t a, write_only image2d_t b) of one sub-group: two rows of 16 elements are
// read at byte 32 of row 1 and written at byte 64 of row 2.
Words module(Word read_access = 0, Word write_access = 1, Word dimensions = 1) {
  KernelModule m("", {13, 58, 5570}, "SPV_INTEL_subgroups", kLanes);
  m.types();
  const auto image = [&](Word access) {
    return m.type(25, {m.void_type, dimensions, 0, 0, 0, 0, 0, access});
  };
  const Word from = image(read_access);
  const Word to = write_access == read_access ? from : image(write_access);
  const Word pair = m.type(OpTypeVector, {m.i32, 2});
  const auto place = [&](Word x, Word y) {
    return m.result(OpConstantComposite, pair, {m.constant32(x), m.constant32(y)});
  };
  const Word read_at = place(32, 1), write_at = place(64, 2);
  const auto p = m.begin({from, to});
  const Word data = m.result(kBlockRead, pair, {p[0], read_at});
  m.add(kBlockWrite, {p[1], write_at, data});
  m.end();
  return m.words();
}

cl_mem make_image(cl_context context, std::vector<cl_uint>& texels) {
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kWidth;
  desc.image_height = kHeight;
  cl_int error = CL_SUCCESS;
  const auto image = clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
                                   &desc, texels.data(), &error);
  check(error, "clCreateImage");
  return image;
}

TEST(SubgroupImageBlocks, ReadAndWrite) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto words = module();
  const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), nullptr));
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS)
      << build_log(program);
  std::vector<cl_uint> texels(kWidth * kHeight), zeros(kWidth * kHeight);
  for (size_t i = 0; i < texels.size(); ++i)
    texels[i] = static_cast<cl_uint>(1000 + i);
  const auto a = make_image(context, texels), b = make_image(context, zeros);
  const auto kernel = make_kernel(program, "k");
  check(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof b, &b), "clSetKernelArg");
  run(queue, kernel, {{kLanes}, {kLanes}, {}});
  const size_t origin[] = {0, 0, 0}, region[] = {kWidth, kHeight, 1};
  std::vector<cl_uint> out(kWidth * kHeight);
  check(
      clEnqueueReadImage(queue, b, CL_TRUE, origin, region, 0, 0, out.data(), 0, nullptr, nullptr),
      "clEnqueueReadImage");
  for (size_t y = 0; y < kHeight; ++y)
    for (size_t x = 0; x < kWidth; ++x) {
      const bool is_written = y >= 2 && x >= 16 && x < 16 + kLanes;
      EXPECT_EQ(out[y * kWidth + x], is_written ? texels[(y - 1) * kWidth + x - 8] : 0U)
          << x << ", " << y;
    }
  clReleaseMemObject(a);
  clReleaseMemObject(b);
}

TEST(SubgroupImageBlocks, RulesAreChecked) {
  const auto context = make_context();
  const auto log_of = [&](const Words& words) {
    const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), nullptr));
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    return build_log(program);
  };
  const auto access = "the image has the access that the instruction needs";
  EXPECT_NE(log_of(module(1, 0)).find(access), std::string::npos);
  EXPECT_NE(log_of(module(0, 0)).find(access), std::string::npos);
  EXPECT_NE(log_of(module(0, 1, 2)).find("the image is 2D"), std::string::npos);
}

} // namespace
