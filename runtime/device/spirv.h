// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the devices take of SPIR-V.
#pragma once

#include <CL/cl.h>

namespace heddle::device_spirv {

// The newest version is 1.N.
cl_uint newest_minor_version();

} // namespace heddle::device_spirv
