// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetDeviceInfo (OpenCL API 4.2, table of device queries).
#pragma once

#include "icd/info.h"
#include "runtime/device/device.h"

namespace heddle::icd {

// CL_INVALID_VALUE for unknown names and if param_value is too small.
cl_int device_info(Device& device, cl_device_info name, const InfoOutput& out);

} // namespace heddle::icd
