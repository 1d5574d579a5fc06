// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, sub-devices and host timers (OpenCL API 4.2, 4.3).
#include "runtime/device/device.h"

#include "icd/arguments.h"
#include "icd/device_info.h"
#include "icd/entry_points.h"
#include "runtime/core/clock.h"
#include "runtime/device/platform.h"
#include "runtime/device/sub_devices.h"

using namespace heddle;
using namespace heddle::icd;

// A null platform means this one. CL_INVALID_PLATFORM, CL_INVALID_DEVICE_TYPE, CL_INVALID_VALUE,
// CL_DEVICE_NOT_FOUND.
cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
                                  cl_uint num_entries, cl_device_id* devices,
                                  cl_uint* num_devices) {
  constexpr cl_device_type kKnown = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                    CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                    CL_DEVICE_TYPE_CUSTOM;
  if (platform && !find<Platform>(platform))
    return CL_INVALID_PLATFORM;
  if (device_type == 0 || (device_type != CL_DEVICE_TYPE_ALL && (device_type & ~kKnown)))
    return CL_INVALID_DEVICE_TYPE;
  if ((num_entries == 0 && devices) || (!devices && !num_devices))
    return CL_INVALID_VALUE;
  auto* owner = Platform::get();
  if (!owner)
    return CL_OUT_OF_HOST_MEMORY;
  const bool found = device_type & (CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU);
  if (num_devices)
    *num_devices = found ? 1 : 0;
  if (!found)
    return CL_DEVICE_NOT_FOUND;
  if (devices)
    devices[0] = static_cast<cl_device_id>(owner->device().handle());
  return CL_SUCCESS;
}

// CL_INVALID_DEVICE, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name,
                                   size_t param_value_size, void* param_value,
                                   size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* object = find<Device>(device);
    if (!object)
      return CL_INVALID_DEVICE;
    return device_info(*object, param_name,
                       InfoOutput(param_value_size, param_value, param_value_size_ret));
  });
}

// CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED,
// CL_INVALID_DEVICE_PARTITION_COUNT, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device,
                                      const cl_device_partition_property* properties,
                                      cl_uint num_devices, cl_device_id* out_devices,
                                      cl_uint* num_devices_ret) {
  return guarded([&]() -> cl_int {
    auto* parent = find<Device>(in_device);
    if (!parent)
      return CL_INVALID_DEVICE;
    if (!properties)
      return CL_INVALID_VALUE;
    auto parts = partition_device(*parent, properties);
    if (!parts)
      return parts.error();
    if (out_devices && num_devices < parts->size())
      return CL_INVALID_VALUE;
    if (num_devices_ret)
      *num_devices_ret = static_cast<cl_uint>(parts->size());
    if (!out_devices)
      return CL_SUCCESS;
    const auto partition = partition_type(*parent, properties);
    std::vector<Ref<Device>> made;
    for (auto& cpus : *parts) {
      made.push_back(make_ref<Device>(parent, std::move(cpus), partition));
      if (!made.back())
        return CL_OUT_OF_HOST_MEMORY;
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
      auto given = give_to_user<cl_device_id>(made[i]);
      if (!given) {
        while (i-- > 0)
          (void)made[i]->release_user();
        return given.error();
      }
      out_devices[i] = *given;
    }
    return CL_SUCCESS;
  });
}

// Root devices are not counted. CL_INVALID_DEVICE.
cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  auto* object = find<Device>(device);
  if (!object)
    return CL_INVALID_DEVICE;
  if (object->parent())
    object->retain_user();
  return CL_SUCCESS;
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  auto* object = find<Device>(device);
  if (!object)
    return CL_INVALID_DEVICE;
  return !object->parent() || object->release_user() ? CL_SUCCESS : CL_INVALID_DEVICE;
}

// The host and device timers are the clock of profiling. CL_INVALID_DEVICE, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_timestamp,
                                           cl_ulong* host_timestamp) {
  if (!find<Device>(device))
    return CL_INVALID_DEVICE;
  if (!device_timestamp || !host_timestamp)
    return CL_INVALID_VALUE;
  *device_timestamp = *host_timestamp = monotonic_nanoseconds();
  return CL_SUCCESS;
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong* host_timestamp) {
  if (!find<Device>(device))
    return CL_INVALID_DEVICE;
  if (!host_timestamp)
    return CL_INVALID_VALUE;
  *host_timestamp = monotonic_nanoseconds();
  return CL_SUCCESS;
}
