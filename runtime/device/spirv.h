// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the devices take of SPIR-V: the compiler's table (compiler/interface/spirv_support.h).
#pragma once

#include <CL/cl.h>

#include <span>

namespace heddle::device_spirv {

// The newest version is 1.N.
cl_uint newest_minor_version();
std::span<const char* const> instruction_sets();
std::span<const char* const> extensions();
std::span<const cl_uint> capabilities();

} // namespace heddle::device_spirv
