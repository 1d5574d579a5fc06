// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UUIDs of device and driver (cl_khr_device_uuid).
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <span>

namespace heddle {

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

// The same for all processes of a machine, and different on other machines. A sub-device is
// identified by its logical processors; an empty list stands for the root device.
Uuid device_uuid(std::span<const int> cpus);
// The same for all devices of one version of Heddle.
Uuid driver_uuid();

} // namespace heddle
