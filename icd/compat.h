// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of newer OpenCL headers that the oldest supported ones lack.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdint>

// cl_khr_icd 2.0.0
#ifndef CL_ICD2_TAG_KHR
#define CL_ICD2_TAG_KHR (static_cast<std::intptr_t>(0x4F50454E434C3331))
#endif
// cl_khr_initialize_memory
#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

// cl_ext_buffer_device_address 1.0.2
#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
using cl_mem_device_address_ext = cl_ulong;
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
#endif

// clGetDeviceGlobalVariablePointerINTEL and the two commands are asked for by Unified Runtime; no
// header declares them.
extern "C" {
cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                  cl_mem_device_address_ext arg_value);
cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL(cl_device_id device, cl_program program,
                                                         const char* name, size_t* size_ret,
                                                         void** pointer_ret);
cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL(cl_command_queue command_queue,
                                                    cl_program program, const char* name,
                                                    cl_bool blocking, size_t size, size_t offset,
                                                    void* ptr, cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list,
                                                    cl_event* event);
cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL(
    cl_command_queue command_queue, cl_program program, const char* name, cl_bool blocking,
    size_t size, size_t offset, const void* ptr, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event);
void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                        const char* func_name);
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data);
}
