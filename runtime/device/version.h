// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version strings that queries report. HEDDLE_VERSION is the project's version in
// CMakeLists.txt.
#pragma once

#include <CL/cl.h>

namespace heddle::version {

constexpr const char* kOpenCL = "OpenCL 3.1 Heddle " HEDDLE_VERSION;
// A device may report more than 1.2 here only if it has all optional features of OpenCL C 3.0;
// CL_DEVICE_OPENCL_C_ALL_VERSIONS has the supported versions.
constexpr const char* kOpenCLC = "OpenCL C 1.2 Heddle " HEDDLE_VERSION;
constexpr cl_version kNumericC = CL_MAKE_VERSION(1, 2, 0);
constexpr const char* kDriver = HEDDLE_VERSION;
constexpr cl_version kNumeric = CL_MAKE_VERSION(3, 1, 0);

} // namespace heddle::version
