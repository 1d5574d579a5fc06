// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points by name, and the loader's side of cl_khr_icd 2.0.
#include "icd/arguments.h"
#include "icd/dispatch.h"
#include "runtime/core/handle_table.h"
#include "runtime/device/platform.h"

using namespace heddle;
using namespace heddle::icd;

// Null for unknown names (deprecated; used by loaders).
void* CL_API_CALL clGetExtensionFunctionAddress(const char* func_name) {
  return func_name ? find_entry_point(func_name) : nullptr;
}

// Null for unknown names and invalid platforms (OpenCL API 4.1).
void* CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                           const char* func_name) {
  return find<Platform>(platform) ? clGetExtensionFunctionAddress(func_name) : nullptr;
}

void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                        const char* func_name) {
  return clGetExtensionFunctionAddressForPlatform(platform, func_name);
}

// CL_INVALID_PLATFORM.
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data) {
  if (!find<Platform>(platform))
    return CL_INVALID_PLATFORM;
  handle_table::set_dispatch_data(dispatch_data);
  return CL_SUCCESS;
}
