// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries of devices and of the platform about semaphores and external memory.
#include "icd/compat.h"
#include "icd/device_info.h"

namespace heddle::icd {
namespace {

cl_int semaphore_types(const InfoOutput& out) {
  return out.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR);
}

// Of semaphores, for import and for export.
cl_int semaphore_handles(const InfoOutput& out) {
  static constexpr cl_external_semaphore_handle_type_khr kTypes[] = {
      CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR};
  return out.put_array<cl_external_semaphore_handle_type_khr>(kTypes);
}

// Of memory. Images are linear.
cl_int memory_handles(const InfoOutput& out) {
  static constexpr cl_external_memory_handle_type_khr kTypes[] = {
      CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR};
  return out.put_array<cl_external_memory_handle_type_khr>(kTypes);
}

} // namespace

cl_int sharing_info(cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_SEMAPHORE_TYPES_KHR:
    return semaphore_types(out);
  case CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:
  case CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
    return semaphore_handles(out);
  case CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
  case CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR:
    return memory_handles(out);
  default:
    return kNotMine;
  }
}

cl_int platform_sharing_info(cl_platform_info name, const InfoOutput& out) {
  switch (name) {
  case CL_PLATFORM_SEMAPHORE_TYPES_KHR:
    return semaphore_types(out);
  case CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR:
    return memory_handles(out);
  case CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR:
  case CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
    return semaphore_handles(out);
  default:
    return kNotMine;
  }
}

} // namespace heddle::icd
