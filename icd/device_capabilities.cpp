// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device queries of integer dot products, kernel clocks, floating-point atomics and sub-group
// sizes.
#include "icd/compat.h"
#include "icd/device_info.h"
#include "runtime/device/features.h"
#include "runtime/device/limits.h"
#include "runtime/target/processor.h"

#include <string>
#include <vector>

namespace heddle::icd {
namespace {

// CL_DEVICE_TERMINATE_CAPABILITY_KHR in the headers of OpenCL 1.2, for which clinfo asks, too.
constexpr cl_device_info kTerminateCapabilityOf12 = 0x200F;

// The dot products of bytes are instructions where the CPU has them.
cl_device_integer_dot_product_acceleration_properties_khr dot_product_acceleration() {
  const cl_bool is_fast = processor::has_byte_dot_products() ? CL_TRUE : CL_FALSE;
  return {is_fast, is_fast, is_fast, is_fast, is_fast, is_fast};
}

// The capabilities whose features the device has. Loads, stores and exchanges of float and double
// need none.
cl_device_fp_atomic_capabilities_ext float_atomics(const char* type, bool loads) {
  const auto has = [&](const char* what) {
    return features::has_opencl_c_feature(std::string("__opencl_c_ext_").append(type).append(what));
  };
  cl_device_fp_atomic_capabilities_ext bits = 0;
  if (loads || has("_global_atomic_load_store"))
    bits |= CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT;
  if (loads || has("_local_atomic_load_store"))
    bits |= CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT;
  if (has("_global_atomic_add"))
    bits |= CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT;
  if (has("_local_atomic_add"))
    bits |= CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT;
  if (has("_global_atomic_min_max"))
    bits |= CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT;
  if (has("_local_atomic_min_max"))
    bits |= CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;
  return bits;
}

// Sub-groups of fewer than four work-items can be required too, but nothing is gained by them.
std::vector<size_t> sub_group_sizes() {
  std::vector<size_t> sizes;
  for (size_t size = 4; size <= limits::kSubGroupSize; size *= 2)
    sizes.push_back(size);
  return sizes;
}

} // namespace

cl_int capability_info(cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
    return out.put<cl_device_integer_dot_product_capabilities_khr>(
        CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
        CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR);
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
  case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
    return out.put<cl_device_integer_dot_product_acceleration_properties_khr>(
        dot_product_acceleration());
  case CL_DEVICE_TERMINATE_CAPABILITY_KHR:
  case kTerminateCapabilityOf12:
    return out.put<cl_device_terminate_capability_khr>(CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR);
  case CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR:
    return out.put<cl_device_kernel_clock_capabilities_khr>(
        CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR | CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR |
        CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR);
  case CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT:
    return out.put<cl_device_fp_atomic_capabilities_ext>(float_atomics("fp32", true));
  case CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT:
    return out.put<cl_device_fp_atomic_capabilities_ext>(float_atomics("fp64", true));
  case CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT:
    return out.put<cl_device_fp_atomic_capabilities_ext>(float_atomics("fp16", false));
  case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
    return out.put_array<size_t>(sub_group_sizes());
  default:
    return kNotMine;
  }
}

} // namespace heddle::icd
