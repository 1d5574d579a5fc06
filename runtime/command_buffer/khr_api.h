// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cl_khr_command_buffer 1.0.0, cl_khr_command_buffer_mutable_dispatch 0.9.5 and
// cl_khr_command_buffer_multi_device 0.9.2 declare. Headers may have older versions of them, with
// other structures and parameters under the same names: so the names here are Heddle's own. Uses
// nothing else of Heddle; tests and benchmarks include it, too.
#pragma once

#include <CL/cl.h>

#include <cstddef>

namespace heddle::khr {

// The handles, cl_command_buffer_khr and cl_mutable_command_khr.
using CommandBufferHandle = struct OpaqueCommandBuffer*;
using CommandHandle = struct OpaqueCommand*;
using SyncPoint = cl_uint;
using Properties = cl_properties; // of command buffers and of commands

// cl_mutable_dispatch_arg_khr
struct DispatchArgument {
  cl_uint arg_index;
  std::size_t arg_size;
  const void* arg_value;
};

// cl_mutable_dispatch_exec_info_khr
struct DispatchExecInfo {
  cl_uint param_name;
  std::size_t param_value_size;
  const void* param_value;
};

// cl_mutable_dispatch_config_khr
struct DispatchConfig {
  CommandHandle command;
  cl_uint num_args;
  cl_uint num_svm_args;
  cl_uint num_exec_infos;
  cl_uint work_dim;
  const DispatchArgument* arg_list;
  const DispatchArgument* arg_svm_list;
  const DispatchExecInfo* exec_info_list;
  const std::size_t* global_work_offset;
  const std::size_t* global_work_size;
  const std::size_t* local_work_size;
};

enum : cl_int {
  kInvalidCommandBuffer = -1138,
  kInvalidSyncPointWaitList = -1139,
  kIncompatibleCommandQueue = -1140,
  kInvalidMutableCommand = -1141,
};

// CL_COMMAND_COMMAND_BUFFER_KHR
inline constexpr cl_command_type kCommandBufferCommand = 0x12A8;

// Queries of devices and platforms.
enum : cl_uint {
  kDeviceSupportedQueueProperties = 0x129A,
  kDeviceCapabilities = 0x12A9,
  kDeviceRequiredQueueProperties = 0x12AA,
  kDeviceNumSyncDevices = 0x12AB,
  kDeviceSyncDevices = 0x12AC,
  kDeviceDispatchCapabilities = 0x12B0,
  kPlatformCapabilities = 0x0908,
};
enum : cl_bitfield {
  kCapabilityPrintf = 1 << 0,
  kCapabilityDeviceEnqueue = 1 << 1,
  kCapabilitySimultaneousUse = 1 << 2,
  kCapabilityMultipleQueue = 1 << 4,
};
enum : cl_bitfield {
  kPlatformUniversalSync = 1 << 0,
  kPlatformRemapQueues = 1 << 1,
  kPlatformAutomaticRemap = 1 << 2,
};

// Properties of command buffers.
inline constexpr Properties kFlags = 0x1293;
inline constexpr Properties kBufferAsserts = 0x12B7;
enum : cl_bitfield {
  kSimultaneousUse = 1 << 0,
  kMutable = 1 << 1,
  kDeviceSideSync = 1 << 2,
};

// Properties of commands.
inline constexpr Properties kUpdatableFields = 0x12B1;
inline constexpr Properties kDispatchAsserts = 0x12B8;
enum : cl_bitfield {
  kGlobalOffset = 1 << 0,
  kGlobalSize = 1 << 1,
  kLocalSize = 1 << 2,
  kArguments = 1 << 3,
  kExecInfo = 1 << 4,
  kAllFields = (1 << 5) - 1,
};
inline constexpr cl_bitfield kAssertNoAdditionalGroups = 1 << 0;

// Queries of command buffers.
enum : cl_uint {
  kBufferQueues = 0x1294,
  kBufferNumQueues = 0x1295,
  kBufferReferenceCount = 0x1296,
  kBufferState = 0x1297,
  kBufferProperties = 0x1298,
  kBufferContext = 0x1299,
};
enum : cl_uint { kStateRecording = 0, kStateExecutable = 1, kStateFinalized = 2 };

// Queries of commands.
enum : cl_uint {
  kCommandQueue = 0x12A0,
  kCommandBuffer = 0x12A1,
  kCommandProperties = 0x12A2,
  kDispatchKernel = 0x12A3,
  kDispatchDimensions = 0x12A4,
  kDispatchGlobalOffset = 0x12A5,
  kDispatchGlobalSize = 0x12A6,
  kDispatchLocalSize = 0x12A7,
  kCommandType = 0x12AD,
};

// cl_command_buffer_update_type_khr
inline constexpr cl_uint kUpdateDispatch = 0;

} // namespace heddle::khr
