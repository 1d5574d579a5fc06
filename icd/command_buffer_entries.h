// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points of cl_khr_command_buffer and its layered extensions, which programs ask for by
// name. In a namespace, because headers may declare older ones with other parameters.
#pragma once

#include "runtime/command_buffer/khr_api.h"

#include <CL/cl.h>

namespace heddle::icd::command_buffers {

khr::CommandBufferHandle CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues,
                                                              const cl_command_queue* queues,
                                                              const khr::Properties* properties,
                                                              cl_int* errcode_ret);
cl_int CL_API_CALL clFinalizeCommandBufferKHR(khr::CommandBufferHandle command_buffer);
cl_int CL_API_CALL clRetainCommandBufferKHR(khr::CommandBufferHandle command_buffer);
cl_int CL_API_CALL clReleaseCommandBufferKHR(khr::CommandBufferHandle command_buffer);
cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             khr::CommandBufferHandle command_buffer,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clGetCommandBufferInfoKHR(khr::CommandBufferHandle command_buffer,
                                             cl_uint param_name, size_t param_value_size,
                                             void* param_value, size_t* param_value_size_ret);
cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_uint sync_point_count, const khr::SyncPoint* sync_points,
    khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_kernel kernel, cl_uint work_dim,
    const size_t* global_work_offset, const size_t* global_work_size, const size_t* local_work_size,
    cl_uint sync_point_count, const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point,
    khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandCopyBufferKHR(khr::CommandBufferHandle command_buffer,
                                          cl_command_queue command_queue,
                                          const khr::Properties* properties, cl_mem src_buffer,
                                          cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, cl_uint sync_point_count,
                                          const khr::SyncPoint* sync_points,
                                          khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t* src_origin, const size_t* dst_origin, const size_t* region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint sync_point_count,
    const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandCopyBufferToImageKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t* dst_origin, const size_t* region, cl_uint sync_point_count,
    const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandCopyImageKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_mem src_image, cl_mem dst_image, const size_t* src_origin,
    const size_t* dst_origin, const size_t* region, cl_uint sync_point_count,
    const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandCopyImageToBufferKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_mem src_image, cl_mem dst_buffer,
    const size_t* src_origin, const size_t* region, size_t dst_offset, cl_uint sync_point_count,
    const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandFillBufferKHR(khr::CommandBufferHandle command_buffer,
                                          cl_command_queue command_queue,
                                          const khr::Properties* properties, cl_mem buffer,
                                          const void* pattern, size_t pattern_size, size_t offset,
                                          size_t size, cl_uint sync_point_count,
                                          const khr::SyncPoint* sync_points,
                                          khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandFillImageKHR(khr::CommandBufferHandle command_buffer,
                                         cl_command_queue command_queue,
                                         const khr::Properties* properties, cl_mem image,
                                         const void* fill_color, const size_t* origin,
                                         const size_t* region, cl_uint sync_point_count,
                                         const khr::SyncPoint* sync_points,
                                         khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandSVMMemcpyKHR(khr::CommandBufferHandle command_buffer,
                                         cl_command_queue command_queue,
                                         const khr::Properties* properties, void* dst_ptr,
                                         const void* src_ptr, size_t size, cl_uint sync_point_count,
                                         const khr::SyncPoint* sync_points,
                                         khr::SyncPoint* sync_point, khr::CommandHandle* handle);
cl_int CL_API_CALL clCommandSVMMemFillKHR(khr::CommandBufferHandle command_buffer,
                                          cl_command_queue command_queue,
                                          const khr::Properties* properties, void* svm_ptr,
                                          const void* pattern, size_t pattern_size, size_t size,
                                          cl_uint sync_point_count,
                                          const khr::SyncPoint* sync_points,
                                          khr::SyncPoint* sync_point, khr::CommandHandle* handle);

// cl_khr_command_buffer_mutable_dispatch
cl_int CL_API_CALL clUpdateMutableCommandsKHR(khr::CommandBufferHandle command_buffer,
                                              cl_uint num_configs, const cl_uint* config_types,
                                              const void** configs);
cl_int CL_API_CALL clGetMutableCommandInfoKHR(khr::CommandHandle command, cl_uint param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret);

// cl_khr_command_buffer_multi_device
khr::CommandBufferHandle CL_API_CALL clRemapCommandBufferKHR(
    khr::CommandBufferHandle command_buffer, cl_bool automatic, cl_uint num_queues,
    const cl_command_queue* queues, cl_uint num_handles, const khr::CommandHandle* handles,
    khr::CommandHandle* handles_ret, cl_int* errcode_ret);

} // namespace heddle::icd::command_buffers
