// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetKernelSuggestedLocalWorkSizeKHR (cl_khr_suggested_local_work_size).
#include "tests/api/api_test.h"

namespace heddle::test {
namespace {

class SuggestedLocalSize : public ApiTest {
 protected:
  void SetUp() override {
    if (device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_suggested_local_work_size") ==
        std::string::npos)
      GTEST_SKIP() << "the driver has no cl_khr_suggested_local_work_size";
    suggest_ = reinterpret_cast<decltype(suggest_)>(clGetExtensionFunctionAddressForPlatform(
        platform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
    ASSERT_NE(suggest_, nullptr);
    program_ = build(context_,
                     "kernel void k(global ulong* out) {"
                     "  if (get_global_linear_id() == 0)"
                     "    for (int d = 0; d < 3; ++d) out[d] = get_local_size(d); }",
                     "-cl-std=CL3.0");
    kernel_ = make_kernel(program_, "k");
  }

  cl_int (*suggest_)(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*,
                     size_t*) = nullptr;
  Program program_;
  Kernel kernel_;
};

TEST_F(SuggestedLocalSize, IsWhatALaunchUses) {
  const auto out = make_buffer(context_, 3 * sizeof(cl_ulong));
  set_args(kernel_, out);
  for (const auto& global : {std::vector<size_t>{4096}, std::vector<size_t>{1009},
                             std::vector<size_t>{640, 480}, std::vector<size_t>{7, 11, 13}}) {
    size_t suggested[3] = {1, 1, 1};
    ASSERT_EQ(suggest_(queue_, kernel_, static_cast<cl_uint>(global.size()), nullptr, global.data(),
                       suggested),
              CL_SUCCESS);
    run(queue_, kernel_, {global, {}, {}});
    const auto used = read<cl_ulong>(queue_, out, 3);
    for (size_t d = 0; d < 3; ++d)
      EXPECT_EQ(used[d], suggested[d]) << d;
  }
}

// The name of OpenCL 3.1, which a loader reads from the slot behind the last one of 3.0.
TEST_F(SuggestedLocalSize, HasACoreNameAndSlot) {
  auto* core =
      clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSuggestedLocalWorkSize");
  ASSERT_NE(core, nullptr);
  const auto out = make_buffer(context_, 3 * sizeof(cl_ulong));
  set_args(kernel_, out);
  const size_t global = 1009;
  size_t by_name = 0, by_extension = 1;
  EXPECT_EQ(
      reinterpret_cast<decltype(suggest_)>(core)(queue_, kernel_, 1, nullptr, &global, &by_name),
      CL_SUCCESS);
  EXPECT_EQ(suggest_(queue_, kernel_, 1, nullptr, &global, &by_extension), CL_SUCCESS);
  EXPECT_EQ(by_name, by_extension);
}

TEST_F(SuggestedLocalSize, ChecksWhatALaunchChecks) {
  size_t suggested[3];
  const size_t global[3] = {64, 64, 64};
  EXPECT_EQ(suggest_(queue_, kernel_, 1, nullptr, global, suggested), CL_INVALID_KERNEL_ARGS);
  const auto out = make_buffer(context_, 3 * sizeof(cl_ulong));
  set_args(kernel_, out);
  EXPECT_EQ(suggest_(queue_, nullptr, 1, nullptr, global, suggested), CL_INVALID_KERNEL);
  EXPECT_EQ(suggest_(nullptr, kernel_, 1, nullptr, global, suggested), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(suggest_(queue_, kernel_, 0, nullptr, global, suggested), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(suggest_(queue_, kernel_, 4, nullptr, global, suggested), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(suggest_(queue_, kernel_, 1, nullptr, global, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(suggest_(queue_, kernel_, 1, nullptr, nullptr, suggested), CL_INVALID_GLOBAL_WORK_SIZE);
  const size_t empty[3] = {64, 0, 64};
  EXPECT_EQ(suggest_(queue_, kernel_, 2, nullptr, empty, suggested), CL_INVALID_GLOBAL_WORK_SIZE);
  const size_t far = ~size_t{0};
  EXPECT_EQ(suggest_(queue_, kernel_, 1, &far, global, suggested), CL_INVALID_GLOBAL_OFFSET);
}

} // namespace
} // namespace heddle::test
