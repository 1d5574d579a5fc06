// Identities of device and driver (cl_khr_device_uuid).
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>

namespace heddle {

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

// The same for all processes on the machine, different from other machines'.
Uuid device_uuid();
// The same for all devices of one version of Heddle.
Uuid driver_uuid();

} // namespace heddle
