// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver that belongs to this command, called without a loader.
#pragma once

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <string>

namespace heddle {

// Thrown by what follows.
struct DriverFailure {
  std::string what;
};

// What a loader would call: the functions that the platform's handle leads to.
struct Driver {
  cl_platform_id platform = nullptr;
  const cl_icd_dispatch* functions = nullptr;
};
Driver open_driver(const std::string& path);
void check(cl_int status, const char* call);

} // namespace heddle
