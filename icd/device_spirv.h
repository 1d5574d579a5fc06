// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers of clGetDeviceInfo about intermediate languages.
#pragma once

#include "icd/info.h"

namespace heddle::icd {

// CL_DEVICE_IL_VERSION, CL_DEVICE_ILS_WITH_VERSION and the queries of cl_khr_spirv_queries;
// CL_INVALID_VALUE for any other name.
cl_int device_spirv_info(cl_device_info name, const InfoOutput& out);

} // namespace heddle::icd
