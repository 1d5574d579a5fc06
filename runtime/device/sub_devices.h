// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitioning of devices (OpenCL API 4.3).
#pragma once

#include "runtime/core/result.h"
#include "runtime/device/device.h"

#include <CL/cl.h>

#include <vector>

namespace heddle {

// CL_DEVICE_PARTITION_PROPERTIES: {0} for a device that cannot be partitioned.
std::vector<cl_device_partition_property> partition_properties(const Device& device);
// CL_DEVICE_PARTITION_AFFINITY_DOMAIN: the affinity domains that partition this device.
cl_device_affinity_domain affinity_domains(const Device& device);

// CL_DEVICE_PARTITION_TYPE of the parts of `device`: the properties up to and including the
// terminating zero, with the domain that was used in place of the next partitionable one.
std::vector<cl_device_partition_property>
partition_type(const Device& device, const cl_device_partition_property* properties);

// The processors of each part. CL_INVALID_VALUE, CL_INVALID_DEVICE_PARTITION_COUNT,
// CL_DEVICE_PARTITION_FAILED.
Result<std::vector<std::vector<int>>>
partition_device(const Device& device, const cl_device_partition_property* properties);

} // namespace heddle
