// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points and names of cl_khr_unified_svm 0.9.0, which headers have for
// CL_ENABLE_BETA_EXTENSIONS only.
#pragma once

#include "tests/api/shared_memory.h"

namespace heddle::test {

using SvmCapabilities = cl_bitfield;
constexpr SvmCapabilities kSvmSystemAllocated = 1 << 1;
constexpr SvmCapabilities kSvmDeviceOwned = 1 << 2;
constexpr SvmCapabilities kSvmUnassociated = 1 << 3;
constexpr SvmCapabilities kSvmHostOwned = 1 << 5;
// The types that the extension names, by the capabilities that they must have.
constexpr SvmCapabilities kCoarseGrain = 0x0F19, kFineGrain = 0x1FD9, kDeviceSvm = 0x4E05,
                          kHostSvm = 0x46F9, kSharedSvm = 0x46C1, kSystemSvm = 0x7FDB;
constexpr cl_platform_info kPlatformSvmTypes = 0x0909;
constexpr cl_device_info kDeviceSvmTypes = 0x1077;
constexpr cl_properties kSvmDevice = 0x2078, kSvmAccess = 0x2079, kSvmAlignment = 0x207A;
constexpr cl_uint kSvmTypeIndex = 0x2088, kSvmCapabilities = 0x2089, kSvmProperties = 0x208A,
                  kSvmAccessFlags = 0x208B, kSvmBase = 0x419B, kSvmSize = 0x419C,
                  kSvmAssociated = 0x419D;
constexpr cl_kernel_exec_info kSvmIndirectAccess = 0x11BB;

struct UnifiedSvm {
  using Alloc = void*(CL_API_CALL*)(cl_context, const cl_properties*, cl_uint, size_t, cl_int*);
  using Free = cl_int(CL_API_CALL*)(cl_context, const cl_properties*, cl_bitfield, void*);
  using Info = cl_int(CL_API_CALL*)(cl_context, cl_device_id, const void*, cl_uint, size_t, void*,
                                    size_t*);
  using Suggest = cl_int(CL_API_CALL*)(cl_context, SvmCapabilities, SvmCapabilities,
                                       const cl_properties*, size_t, cl_uint*);
  Alloc alloc = extension<Alloc>("clSVMAllocWithPropertiesKHR");
  Free free = extension<Free>("clSVMFreeWithPropertiesKHR");
  Info info = extension<Info>("clGetSVMPointerInfoKHR");
  Suggest suggest = extension<Suggest>("clGetSVMSuggestedTypeIndexKHR");
};

} // namespace heddle::test
