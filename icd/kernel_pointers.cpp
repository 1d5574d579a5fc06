// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses as kernel arguments, and what kernels use beside their arguments: SVM (OpenCL API
// 5.9.2), cl_intel_unified_shared_memory, cl_ext_buffer_device_address.
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "runtime/program/kernel.h"

using namespace heddle;
using namespace heddle::icd;

namespace {

cl_int set_pointer(cl_kernel kernel, cl_uint index, const void* address, bool or_constant) {
  return guarded([&]() -> cl_int {
    auto* object = find<Kernel>(kernel);
    return object ? object->set_pointer(index, address, or_constant) : CL_INVALID_KERNEL;
  });
}

} // namespace

// Any address is valid, since the device has fine-grain system SVM. CL_INVALID_KERNEL,
// CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE (the argument is no pointer to global or constant
// memory).
cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                            const void* arg_value) {
  return set_pointer(kernel, arg_index, arg_value, true);
}

// As clSetKernelArgSVMPointer.
cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                 const void* arg_value) {
  return set_pointer(kernel, arg_index, arg_value, true);
}

// CL_INVALID_KERNEL, CL_INVALID_ARG_INDEX (also for what is no pointer to global memory).
cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                  cl_mem_device_address_ext arg_value) {
  const auto error =
      set_pointer(kernel, arg_index, reinterpret_cast<const void*>(arg_value), false);
  return error == CL_INVALID_ARG_VALUE ? CL_INVALID_ARG_INDEX : error;
}

// CL_INVALID_KERNEL, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                       size_t param_value_size, const void* param_value) {
  return guarded([&]() -> cl_int {
    auto* object = find<Kernel>(kernel);
    return object ? object->set_exec_info(param_name, param_value_size, param_value)
                  : CL_INVALID_KERNEL;
  });
}
