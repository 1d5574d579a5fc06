// Identities of device and driver (cl_khr_device_uuid).
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <span>

namespace heddle {

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

// The same for all processes on the machine, different from other machines'. A sub-device is its
// logical processors; without any it is the whole device.
Uuid device_uuid(std::span<const int> cpus);
// The same for all devices of one version of Heddle.
Uuid driver_uuid();

} // namespace heddle
