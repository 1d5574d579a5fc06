// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version strings that queries report. HEDDLE_VERSION is the project's version in
// CMakeLists.txt.
#pragma once

#include <CL/cl.h>

namespace heddle::version {

constexpr const char* kOpenCL = "OpenCL 3.1 Heddle " HEDDLE_VERSION;
constexpr const char* kDriver = HEDDLE_VERSION;
constexpr cl_version kNumeric = CL_MAKE_VERSION(3, 1, 0);

} // namespace heddle::version
