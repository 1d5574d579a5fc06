// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of cl_intel_unified_shared_memory and cl_ext_buffer_device_address, which programs
// ask for by name, and owned allocations.
#pragma once

#include "tests/api/support.h"

#include <memory>
#include <stdexcept>

namespace heddle::test {

// cl_ext_buffer_device_address 1.0.2, which older headers lack.
using DeviceAddress = cl_ulong;
using SetKernelArgDevicePointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, DeviceAddress);
constexpr cl_mem_properties kDevicePrivateAddress = 0x5000;
constexpr cl_mem_info kDeviceAddress = 0x5001;
constexpr cl_kernel_exec_info kDevicePointers = 0x5002;

template <class Function>
Function extension(const char* name) {
  auto* found = clGetExtensionFunctionAddressForPlatform(platform(), name);
  if (!found)
    throw std::runtime_error(std::string("no entry point ") + name);
  return reinterpret_cast<Function>(found);
}

struct Usm {
  clHostMemAllocINTEL_fn host_alloc = extension<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  clDeviceMemAllocINTEL_fn device_alloc =
      extension<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  clSharedMemAllocINTEL_fn shared_alloc =
      extension<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  clMemFreeINTEL_fn free = extension<clMemFreeINTEL_fn>("clMemFreeINTEL");
  clMemBlockingFreeINTEL_fn blocking_free =
      extension<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
  clGetMemAllocInfoINTEL_fn info = extension<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
  clSetKernelArgMemPointerINTEL_fn set_arg =
      extension<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  clEnqueueMemFillINTEL_fn fill = extension<clEnqueueMemFillINTEL_fn>("clEnqueueMemFillINTEL");
  clEnqueueMemsetINTEL_fn set = extension<clEnqueueMemsetINTEL_fn>("clEnqueueMemsetINTEL");
  clEnqueueMemcpyINTEL_fn copy = extension<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  clEnqueueMigrateMemINTEL_fn migrate =
      extension<clEnqueueMigrateMemINTEL_fn>("clEnqueueMigrateMemINTEL");
  clEnqueueMemAdviseINTEL_fn advise =
      extension<clEnqueueMemAdviseINTEL_fn>("clEnqueueMemAdviseINTEL");
};

// `count` elements that go at the end of the scope; the context must live as long.
template <class T>
class SvmArray {
 public:
  SvmArray(cl_context context, size_t count, cl_svm_mem_flags flags = CL_MEM_READ_WRITE)
      : context_(context),
        data_(static_cast<T*>(clSVMAlloc(context, flags, count * sizeof(T), 0))) {
    if (!data_)
      throw std::runtime_error("clSVMAlloc");
  }
  SvmArray(const SvmArray&) = delete;
  SvmArray& operator=(const SvmArray&) = delete;
  ~SvmArray() { clSVMFree(context_, data_); }
  T* data() const { return data_; }
  T& operator[](size_t i) const { return data_[i]; }

 private:
  cl_context context_;
  T* data_;
};

inline cl_command_type command_type(cl_event event) {
  cl_command_type type = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr),
        "CL_EVENT_COMMAND_TYPE");
  return type;
}

} // namespace heddle::test
