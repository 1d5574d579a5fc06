// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The version strings that queries report. HEDDLE_VERSION is the project's version in
// CMakeLists.txt.
#pragma once

#include "compiler/interface/kernel_abi.h"

#include <CL/cl.h>

#include <string>

namespace heddle::version {

constexpr const char* kOpenCL = "OpenCL 3.1 Heddle " HEDDLE_VERSION;
constexpr const char* kHeddle = HEDDLE_VERSION;
// Programs that keep binaries know by this whether they still fit.
inline std::string driver() {
  return std::string(kHeddle) + ".abi" + std::to_string(abi::kVersion);
}
constexpr cl_version kNumeric = CL_MAKE_VERSION(3, 1, 0);

} // namespace heddle::version
