// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device queries of command buffers.
#include "icd/device_info.h"
#include "runtime/command_buffer/khr_api.h"

namespace heddle::icd {

cl_int command_buffer_info(Device& device, cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case khr::kDeviceCapabilities:
    return out.put<cl_bitfield>(khr::kCapabilityPrintf | khr::kCapabilityDeviceEnqueue |
                                khr::kCapabilitySimultaneousUse | khr::kCapabilityMultipleQueue);
  case khr::kDeviceRequiredQueueProperties:
    return out.put<cl_command_queue_properties>(0);
  case khr::kDeviceSupportedQueueProperties:
    return out.put<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                CL_QUEUE_PROFILING_ENABLE);
  case khr::kDeviceDispatchCapabilities:
    return out.put<cl_bitfield>(khr::kAllFields);
  // The root device, which stands for its sub-devices, too.
  case khr::kDeviceNumSyncDevices:
    return out.put<cl_uint>(1);
  case khr::kDeviceSyncDevices:
    return out.put<cl_device_id>(static_cast<cl_device_id>(device.root().handle()));
  default:
    return kNotMine;
  }
}

} // namespace heddle::icd
