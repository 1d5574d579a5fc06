// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of a launch (OpenCL API 5.10).
#pragma once

#include "runtime/device/device.h"
#include "runtime/execution/kernel_launch.h"
#include "runtime/program/kernel.h"

namespace heddle::icd {

// Validates sizes and offsets, and sets the range: CL_INVALID_WORK_DIMENSION,
// CL_INVALID_GLOBAL_OFFSET, CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_WORK_GROUP_SIZE,
// CL_INVALID_WORK_ITEM_SIZE. An empty range is valid. Without local sizes, the driver chooses them.
cl_int make_range(const Kernel& kernel, const Device& device, cl_uint work_dim,
                  const size_t* offset, const size_t* global, const size_t* local, NDRange& range);

} // namespace heddle::icd
