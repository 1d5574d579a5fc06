// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of newer OpenCL headers that the oldest supported ones lack.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdint>

// cl_khr_spirv_queries
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

// cl_khr_icd 2.0.0
#ifndef CL_ICD2_TAG_KHR
#define CL_ICD2_TAG_KHR (static_cast<std::intptr_t>(0x4F50454E434C3331))
#endif
extern "C" {
void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                        const char* func_name);
cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data);
}
