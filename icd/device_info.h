// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetDeviceInfo (OpenCL API 4.2, table of device queries).
#pragma once

#include "icd/info.h"
#include "runtime/device/device.h"

namespace heddle::icd {

// CL_INVALID_VALUE for unknown names and if param_value is too small.
cl_int device_info(Device& device, cl_device_info name, const InfoOutput& out);

// CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE.
size_t preferred_group_multiple();

// What the functions answer that each know one part of the table, for names of other parts.
constexpr cl_int kNotMine = 1;

// SVM (OpenCL API 5.6) and USM (cl_intel_unified_shared_memory).
cl_int shared_memory_info(cl_device_info name, const InfoOutput& out);
// Integer dot products, kernel clocks, floating-point atomics, sub-group sizes.
cl_int capability_info(cl_device_info name, const InfoOutput& out);
// cl_khr_command_buffer and its layered extensions.
cl_int command_buffer_info(Device& device, cl_device_info name, const InfoOutput& out);
// Semaphores and external memory; and what the platform tells of them.
cl_int sharing_info(cl_device_info name, const InfoOutput& out);
cl_int platform_sharing_info(cl_platform_info name, const InfoOutput& out);
// cl_intel_device_attribute_query.
cl_int attribute_info(Device& device, cl_device_info name, const InfoOutput& out);

} // namespace heddle::icd
