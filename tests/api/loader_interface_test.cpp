// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's side of cl_khr_icd 2.0 without a loader: opens the library of the .icd file
// directly.
#include "tests/api/support.h"

#include <CL/cl_icd.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

namespace heddle::test {
namespace {

constexpr std::intptr_t kTag = 0x4F50454E434C3331; // CL_ICD2_TAG_KHR

// The beginning of every handle, as the extension defines it.
struct Handle {
  const cl_icd_dispatch* dispatch;
  void* dispatch_data;
};

class LoaderInterface : public testing::Test {
 protected:
  void SetUp() override {
    const char* vendors = std::getenv("OCL_ICD_VENDORS");
    std::string path;
    if (vendors)
      std::getline(std::ifstream(vendors), path);
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (path.empty() || !library_ || !dlsym(library_, "clIcdGetFunctionAddressForPlatformKHR"))
      GTEST_SKIP() << "OCL_ICD_VENDORS names no driver of cl_khr_icd 2.0";
    find(get_platforms_, "clIcdGetPlatformIDsKHR");
    find(get_function_, "clIcdGetFunctionAddressForPlatformKHR");
    find(set_data_, "clIcdSetPlatformDispatchDataKHR");
    find(get_platform_info_, "clGetPlatformInfo");
    ASSERT_EQ(get_platforms_(1, &platform_, nullptr), CL_SUCCESS);
  }

  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    ASSERT_NE(function, nullptr) << name;
  }
  // Looks up entry points like a loader of 2.0.
  template <class Function>
  Function* entry(const char* name) {
    return reinterpret_cast<Function*>(get_function_(platform_, name));
  }

  void* library_ = nullptr;
  cl_platform_id platform_ = nullptr;
  cl_int (*get_platforms_)(cl_uint, cl_platform_id*, cl_uint*) = nullptr;
  void* (*get_function_)(cl_platform_id, const char*) = nullptr;
  cl_int (*set_data_)(cl_platform_id, void*) = nullptr;
  decltype(&clGetPlatformInfo) get_platform_info_ = nullptr;
};

TEST_F(LoaderInterface, PlatformSaysWhichItIs) {
  char extensions[4096];
  ASSERT_EQ(
      get_platform_info_(platform_, CL_PLATFORM_EXTENSIONS, sizeof extensions, extensions, nullptr),
      CL_SUCCESS);
  EXPECT_NE(std::string(extensions).find("cl_khr_icd"), std::string::npos);
  char suffix[64];
  EXPECT_EQ(
      get_platform_info_(platform_, CL_PLATFORM_ICD_SUFFIX_KHR, sizeof suffix, suffix, nullptr),
      CL_SUCCESS);
}

TEST_F(LoaderInterface, TableCarriesBothTags) {
  const auto* dispatch = reinterpret_cast<const Handle*>(platform_)->dispatch;
  EXPECT_EQ(reinterpret_cast<std::intptr_t>(dispatch->clGetPlatformIDs), kTag);
  EXPECT_EQ(reinterpret_cast<std::intptr_t>(dispatch->clUnloadCompiler), kTag);
}

// An old loader calls through the table without a check, so every function of OpenCL 3.0 must be
// present.
TEST_F(LoaderInterface, TableIsWholeAndAgreesWithTheLookUp) {
  const auto* dispatch = reinterpret_cast<const Handle*>(platform_)->dispatch;
#define EXPECT_ENTRY(name)                                                                         \
  EXPECT_NE(dispatch->name, nullptr) << #name;                                                     \
  EXPECT_EQ(reinterpret_cast<void*>(dispatch->name), get_function_(platform_, #name)) << #name
  EXPECT_ENTRY(clGetPlatformInfo);
  EXPECT_ENTRY(clCreateContext);
  EXPECT_ENTRY(clCreateCommandQueueWithProperties);
  EXPECT_ENTRY(clCreateBufferWithProperties);
  EXPECT_ENTRY(clCreateImageWithProperties);
  EXPECT_ENTRY(clCreateImage2D);
  EXPECT_ENTRY(clCreateSamplerWithProperties);
  EXPECT_ENTRY(clCreatePipe);
  EXPECT_ENTRY(clSVMAlloc);
  EXPECT_ENTRY(clSVMFree);
  EXPECT_ENTRY(clEnqueueSVMMigrateMem);
  EXPECT_ENTRY(clCreateProgramWithIL);
  EXPECT_ENTRY(clCloneKernel);
  EXPECT_ENTRY(clGetKernelSubGroupInfo);
  EXPECT_ENTRY(clEnqueueNDRangeKernel);
  EXPECT_ENTRY(clEnqueueNativeKernel);
  EXPECT_ENTRY(clEnqueueMapImage);
  EXPECT_ENTRY(clSetProgramSpecializationConstant);
  EXPECT_ENTRY(clSetProgramReleaseCallback);
  EXPECT_ENTRY(clSetContextDestructorCallback);
  EXPECT_ENTRY(clSetDefaultDeviceCommandQueue);
#undef EXPECT_ENTRY
  // There are no null entries except those of Windows' sharing extensions.
  const auto* words = reinterpret_cast<void* const*>(dispatch);
  const auto first = offsetof(cl_icd_dispatch, clGetDeviceIDsFromD3D10KHR) / sizeof(void*);
  for (std::size_t i = 0; i < first; ++i)
    EXPECT_NE(words[i], nullptr) << "entry " << i;
  const auto second = offsetof(cl_icd_dispatch, clCreateCommandQueueWithProperties) / sizeof(void*);
  for (auto i = second; i < sizeof *dispatch / sizeof(void*); ++i)
    EXPECT_NE(words[i], nullptr) << "entry " << i;
}

// Loaders of OpenCL 3.1 read one slot more.
TEST_F(LoaderInterface, TableHasTheSlotOfOpenCL31) {
  const auto* words =
      reinterpret_cast<void* const*>(reinterpret_cast<const Handle*>(platform_)->dispatch);
  const auto last = offsetof(cl_icd_dispatch, clSetContextDestructorCallback) / sizeof(void*);
  EXPECT_EQ(words[last + 1], get_function_(platform_, "clGetKernelSuggestedLocalWorkSize"));
  EXPECT_NE(words[last + 1], nullptr);
}

TEST_F(LoaderInterface, LookUpRefusesWhatItDoesNotKnow) {
  EXPECT_EQ(get_function_(platform_, "clNoSuchFunction"), nullptr);
  EXPECT_EQ(get_function_(platform_, ""), nullptr);
  EXPECT_EQ(get_function_(nullptr, "clGetDeviceIDs"), nullptr);
}

TEST_F(LoaderInterface, DispatchDataReachesOldAndNewObjects) {
  EXPECT_EQ(set_data_(nullptr, this), CL_INVALID_PLATFORM);
  cl_device_id device = nullptr;
  ASSERT_EQ(entry<decltype(clGetDeviceIDs)>("clGetDeviceIDs")(platform_, CL_DEVICE_TYPE_ALL, 1,
                                                              &device, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(set_data_(platform_, this), CL_SUCCESS);
  EXPECT_EQ(reinterpret_cast<const Handle*>(platform_)->dispatch_data, this);
  EXPECT_EQ(reinterpret_cast<const Handle*>(device)->dispatch_data, this);
  auto context = entry<decltype(clCreateContext)>("clCreateContext")(nullptr, 1, &device, nullptr,
                                                                     nullptr, nullptr);
  ASSERT_NE(context, nullptr);
  EXPECT_EQ(reinterpret_cast<const Handle*>(context)->dispatch_data, this);
  EXPECT_EQ(reinterpret_cast<const Handle*>(context)->dispatch,
            reinterpret_cast<const Handle*>(platform_)->dispatch);
  EXPECT_EQ(entry<decltype(clReleaseContext)>("clReleaseContext")(context), CL_SUCCESS);
  EXPECT_EQ(set_data_(platform_, nullptr), CL_SUCCESS);
}

} // namespace
} // namespace heddle::test
