// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer 1.0.0 and its layered extensions for programs, whatever the headers
// declare: the functions of the driver, asked for by name. Constants have the names of the
// specification without CL_ and _KHR.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <type_traits>

namespace command_buffers {

using BufferHandle = struct OpaqueBuffer*;
using CommandHandle = struct OpaqueCommand*;
using SyncPoint = cl_uint;

struct DispatchArgument {
  cl_uint arg_index;
  size_t arg_size;
  const void* arg_value;
};
struct DispatchExecInfo {
  cl_uint param_name;
  size_t param_value_size;
  const void* param_value;
};
struct DispatchConfig {
  CommandHandle command;
  cl_uint num_args;
  cl_uint num_svm_args;
  cl_uint num_exec_infos;
  cl_uint work_dim;
  const DispatchArgument* arg_list;
  const DispatchArgument* arg_svm_list;
  const DispatchExecInfo* exec_info_list;
  const size_t* global_work_offset;
  const size_t* global_work_size;
  const size_t* local_work_size;
};

constexpr cl_int INVALID_COMMAND_BUFFER = -1138, INVALID_SYNC_POINT_WAIT_LIST = -1139,
                 INCOMPATIBLE_COMMAND_QUEUE = -1140, INVALID_MUTABLE_COMMAND = -1141;
constexpr cl_uint COMMAND_COMMAND_BUFFER = 0x12A8;

constexpr cl_device_info DEVICE_CAPABILITIES = 0x12A9, DEVICE_SUPPORTED_QUEUE_PROPERTIES = 0x129A,
                         DEVICE_REQUIRED_QUEUE_PROPERTIES = 0x12AA,
                         DEVICE_NUM_SYNC_DEVICES = 0x12AB, DEVICE_SYNC_DEVICES = 0x12AC,
                         DEVICE_MUTABLE_CAPABILITIES = 0x12B0;
constexpr cl_bitfield CAPABILITY_KERNEL_PRINTF = 1, CAPABILITY_DEVICE_SIDE_ENQUEUE = 2,
                      CAPABILITY_SIMULTANEOUS_USE = 4, CAPABILITY_MULTIPLE_QUEUE = 16;
constexpr cl_platform_info PLATFORM_CAPABILITIES = 0x0908;
constexpr cl_bitfield PLATFORM_UNIVERSAL_SYNC = 1, PLATFORM_REMAP_QUEUES = 2,
                      PLATFORM_AUTOMATIC_REMAP = 4;

constexpr cl_properties FLAGS = 0x1293, BUFFER_ASSERTS = 0x12B7;
constexpr cl_bitfield SIMULTANEOUS_USE = 1, MUTABLE = 2, DEVICE_SIDE_SYNC = 4;
constexpr cl_properties UPDATABLE_FIELDS = 0x12B1, DISPATCH_ASSERTS = 0x12B8;
constexpr cl_bitfield FIELD_GLOBAL_OFFSET = 1, FIELD_GLOBAL_SIZE = 2, FIELD_LOCAL_SIZE = 4,
                      FIELD_ARGUMENTS = 8, FIELD_EXEC_INFO = 16;
constexpr cl_bitfield ASSERT_NO_ADDITIONAL_WORK_GROUPS = 1;

constexpr cl_uint INFO_QUEUES = 0x1294, INFO_NUM_QUEUES = 0x1295, INFO_REFERENCE_COUNT = 0x1296,
                  INFO_STATE = 0x1297, INFO_PROPERTIES_ARRAY = 0x1298, INFO_CONTEXT = 0x1299;
constexpr cl_uint STATE_RECORDING = 0, STATE_EXECUTABLE = 1, STATE_FINALIZED = 2;
constexpr cl_uint COMMAND_QUEUE = 0x12A0, COMMAND_BUFFER = 0x12A1,
                  COMMAND_PROPERTIES_ARRAY = 0x12A2, DISPATCH_KERNEL = 0x12A3,
                  DISPATCH_DIMENSIONS = 0x12A4, DISPATCH_GLOBAL_WORK_OFFSET = 0x12A5,
                  DISPATCH_GLOBAL_WORK_SIZE = 0x12A6, DISPATCH_LOCAL_WORK_SIZE = 0x12A7,
                  COMMAND_COMMAND_TYPE = 0x12AD;
constexpr cl_uint UPDATE_DISPATCH = 0; // CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR

// What the calls that record commands have behind their own parameters.
#define COMMAND_BUFFERS_TAIL cl_uint, const SyncPoint*, SyncPoint*, CommandHandle*
#define COMMAND_BUFFERS_HEAD BufferHandle, cl_command_queue, const cl_properties*

struct Api {
  BufferHandle(CL_API_CALL* create)(cl_uint, const cl_command_queue*, const cl_properties*,
                                    cl_int*) = nullptr;
  cl_int(CL_API_CALL* retain)(BufferHandle) = nullptr;
  cl_int(CL_API_CALL* release)(BufferHandle) = nullptr;
  cl_int(CL_API_CALL* finalize)(BufferHandle) = nullptr;
  cl_int(CL_API_CALL* enqueue)(cl_uint, cl_command_queue*, BufferHandle, cl_uint, const cl_event*,
                               cl_event*) = nullptr;
  cl_int(CL_API_CALL* info)(BufferHandle, cl_uint, size_t, void*, size_t*) = nullptr;
  cl_int(CL_API_CALL* barrier)(COMMAND_BUFFERS_HEAD, COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* copy_buffer)(COMMAND_BUFFERS_HEAD, cl_mem, cl_mem, size_t, size_t, size_t,
                                   COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* copy_buffer_rect)(COMMAND_BUFFERS_HEAD, cl_mem, cl_mem, const size_t*,
                                        const size_t*, const size_t*, size_t, size_t, size_t,
                                        size_t, COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* copy_buffer_to_image)(COMMAND_BUFFERS_HEAD, cl_mem, cl_mem, size_t,
                                            const size_t*, const size_t*,
                                            COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* copy_image)(COMMAND_BUFFERS_HEAD, cl_mem, cl_mem, const size_t*,
                                  const size_t*, const size_t*, COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* copy_image_to_buffer)(COMMAND_BUFFERS_HEAD, cl_mem, cl_mem, const size_t*,
                                            const size_t*, size_t, COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* fill_buffer)(COMMAND_BUFFERS_HEAD, cl_mem, const void*, size_t, size_t,
                                   size_t, COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* fill_image)(COMMAND_BUFFERS_HEAD, cl_mem, const void*, const size_t*,
                                  const size_t*, COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* kernel)(COMMAND_BUFFERS_HEAD, cl_kernel, cl_uint, const size_t*,
                              const size_t*, const size_t*, COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* svm_copy)(COMMAND_BUFFERS_HEAD, void*, const void*, size_t,
                                COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* svm_fill)(COMMAND_BUFFERS_HEAD, void*, const void*, size_t, size_t,
                                COMMAND_BUFFERS_TAIL) = nullptr;
  cl_int(CL_API_CALL* update)(BufferHandle, cl_uint, const cl_uint*, const void**) = nullptr;
  cl_int(CL_API_CALL* command_info)(CommandHandle, cl_uint, size_t, void*, size_t*) = nullptr;
  BufferHandle(CL_API_CALL* remap)(BufferHandle, cl_bool, cl_uint, const cl_command_queue*, cl_uint,
                                   const CommandHandle*, CommandHandle*, cl_int*) = nullptr;

  // Functions that the platform lacks are null.
  explicit Api(cl_platform_id platform) {
    const auto load = [platform](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(platform, name));
    };
    load(create, "clCreateCommandBufferKHR");
    load(retain, "clRetainCommandBufferKHR");
    load(release, "clReleaseCommandBufferKHR");
    load(finalize, "clFinalizeCommandBufferKHR");
    load(enqueue, "clEnqueueCommandBufferKHR");
    load(info, "clGetCommandBufferInfoKHR");
    load(barrier, "clCommandBarrierWithWaitListKHR");
    load(copy_buffer, "clCommandCopyBufferKHR");
    load(copy_buffer_rect, "clCommandCopyBufferRectKHR");
    load(copy_buffer_to_image, "clCommandCopyBufferToImageKHR");
    load(copy_image, "clCommandCopyImageKHR");
    load(copy_image_to_buffer, "clCommandCopyImageToBufferKHR");
    load(fill_buffer, "clCommandFillBufferKHR");
    load(fill_image, "clCommandFillImageKHR");
    load(kernel, "clCommandNDRangeKernelKHR");
    load(svm_copy, "clCommandSVMMemcpyKHR");
    load(svm_fill, "clCommandSVMMemFillKHR");
    load(update, "clUpdateMutableCommandsKHR");
    load(command_info, "clGetMutableCommandInfoKHR");
    load(remap, "clRemapCommandBufferKHR");
  }
};

#undef COMMAND_BUFFERS_HEAD
#undef COMMAND_BUFFERS_TAIL

} // namespace command_buffers
