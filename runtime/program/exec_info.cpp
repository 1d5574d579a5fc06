// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/exec_info.h"

#include <CL/cl_ext.h>

#include <cstring>

namespace heddle {
namespace {

// Which older headers lack.
constexpr cl_kernel_exec_info kDevicePointers = 0x5002;
constexpr cl_kernel_exec_info kSvmIndirectAccess = 0x11BB; // cl_khr_unified_svm

} // namespace

cl_int ExecInfo::set_flag(Setting& flag, std::size_t size, const void* value) {
  if (size != sizeof(cl_bool) || !value)
    return CL_INVALID_VALUE;
  cl_bool given = CL_FALSE;
  std::memcpy(&given, value, sizeof given);
  flag = given ? Setting::yes : Setting::no;
  return CL_SUCCESS;
}

cl_int ExecInfo::set_pointers(Pointers& pointers, std::size_t size, const void* value) {
  if (size % sizeof(Pointers::value_type) != 0 || (!value && size != 0))
    return CL_INVALID_VALUE;
  Pointers given(size / sizeof(Pointers::value_type));
  if (size != 0)
    std::memcpy(given.data(), value, size);
  pointers = std::move(given);
  return CL_SUCCESS;
}

cl_int ExecInfo::set(cl_kernel_exec_info name, std::size_t size, const void* value) {
  switch (name) {
  case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    return set_pointers(svm_, size, value);
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    return set_flag(system_, size, value);
  case kSvmIndirectAccess:
    return set_flag(svm_indirect_, size, value);
  case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    return set_pointers(usm_, size, value);
  case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    return set_flag(host_, size, value);
  case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    return set_flag(device_, size, value);
  case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
    return set_flag(shared_, size, value);
  case kDevicePointers:
    return set_pointers(buffers_, size, value);
  default:
    return CL_INVALID_VALUE;
  }
}

} // namespace heddle
