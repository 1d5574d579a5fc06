// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platform queries (OpenCL API 4.1).
#include "runtime/device/platform.h"

#include "icd/arguments.h"
#include "icd/device_info.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "icd/svm_types.h"
#include "runtime/command_buffer/khr_api.h"
#include "runtime/device/features.h"
#include "runtime/device/version.h"

using namespace heddle;
using namespace heddle::icd;

// CL_INVALID_VALUE if num_entries is 0 with a list, or both results are null. Never
// CL_PLATFORM_NOT_FOUND_KHR.
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                          cl_uint* num_platforms) {
  if ((num_entries == 0 && platforms) || (!platforms && !num_platforms))
    return CL_INVALID_VALUE;
  auto* platform = Platform::get();
  if (!platform)
    return CL_OUT_OF_HOST_MEMORY;
  if (platforms)
    platforms[0] = static_cast<cl_platform_id>(platform->handle());
  if (num_platforms)
    *num_platforms = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms,
                                    cl_uint* num_platforms) {
  return clIcdGetPlatformIDsKHR(num_entries, platforms, num_platforms);
}

// A null platform means this one. CL_INVALID_PLATFORM, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                     size_t param_value_size, void* param_value,
                                     size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    if (platform && !find<Platform>(platform))
      return CL_INVALID_PLATFORM;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_PLATFORM_PROFILE:
      return out.put_text("FULL_PROFILE");
    case CL_PLATFORM_VERSION:
      return out.put_text(version::kOpenCL);
    case CL_PLATFORM_NUMERIC_VERSION:
      return out.put<cl_version>(version::kNumeric);
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR:
      return out.put_text("Heddle");
    case CL_PLATFORM_EXTENSIONS:
      return out.put_text(features::names(features::platform_extensions()));
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
      return out.put_array(features::platform_extensions());
    case CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR:
      return out.put_array(svm_types());
    case khr::kPlatformCapabilities:
      return out.put<cl_bitfield>(khr::kPlatformUniversalSync | khr::kPlatformRemapQueues |
                                  khr::kPlatformAutomaticRemap);
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
      return out.put<cl_ulong>(1);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
      return out.put_text("HEDDLE");
    default: {
      const auto error = platform_sharing_info(param_name, out);
      return error == kNotMine ? CL_INVALID_VALUE : error;
    }
    }
  });
}

// There are no resources to release.
cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
  return find<Platform>(platform) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

cl_int CL_API_CALL clUnloadCompiler(void) { return CL_SUCCESS; }
