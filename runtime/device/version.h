// What Heddle calls itself.
#pragma once

#include <CL/cl.h>

namespace heddle::version {

constexpr const char* kOpenCL = "OpenCL 3.0 Heddle " HEDDLE_VERSION;
// More than 1.2 may be said here only by a device with all optional features of OpenCL C 3.0; that
// 3.0 is supported stands in CL_DEVICE_OPENCL_C_ALL_VERSIONS.
constexpr const char* kOpenCLC = "OpenCL C 1.2 Heddle " HEDDLE_VERSION;
constexpr cl_version kNumericC = CL_MAKE_VERSION(1, 2, 0);
constexpr const char* kDriver = HEDDLE_VERSION;
constexpr cl_version kNumeric = CL_MAKE_VERSION(3, 0, 0);

} // namespace heddle::version
