// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS // clGetExtensionFunctionAddress: loaders and drivers have
                                          // it
#include "tools/heddle/driver.h"

#include <CL/cl_ext.h>

#include <dlfcn.h>

namespace heddle {

Driver open_driver(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw DriverFailure{dlerror()};
  const auto extension = reinterpret_cast<decltype(&clGetExtensionFunctionAddress)>(
      dlsym(library, "clGetExtensionFunctionAddress"));
  const auto platforms = reinterpret_cast<decltype(&clIcdGetPlatformIDsKHR)>(
      extension ? extension("clIcdGetPlatformIDsKHR") : nullptr);
  Driver driver;
  cl_uint count = 0;
  if (!platforms || platforms(1, &driver.platform, &count) != CL_SUCCESS || count == 0)
    throw DriverFailure{"the driver shows no platform"};
  driver.functions = *reinterpret_cast<const cl_icd_dispatch* const*>(driver.platform);
  return driver;
}

void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS)
    throw DriverFailure{std::string(call) + " says " + std::to_string(status)};
}

} // namespace heddle
