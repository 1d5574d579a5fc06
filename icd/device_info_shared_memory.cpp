// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device queries of SVM and USM, and cl_intel_device_attribute_query.
#include "icd/compat.h"
#include "icd/device_info.h"
#include "icd/svm_types.h"
#include "runtime/target/processor.h"

namespace heddle::icd {
namespace {

constexpr cl_device_svm_capabilities kSvm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                            CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                            CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
constexpr cl_device_unified_shared_memory_capabilities_intel kUsm =
    CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;

// Newer processors of a maker have higher ones.
cl_version processor_version() {
  const auto version = processor::version();
  return CL_MAKE_VERSION(version.major, version.minor, version.patch);
}

} // namespace

// The device is the host: each byte that the one can reach the other can too, at the same time.
cl_int shared_memory_info(cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_SVM_CAPABILITIES:
    return out.put<cl_device_svm_capabilities>(kSvm);
  case CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR:
    return out.put_array(svm_types());
  case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
  case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
    return out.put<cl_device_unified_shared_memory_capabilities_intel>(kUsm);
  default:
    return kNotMine;
  }
}

// A processor as the extension sees devices: one slice of one sub-slice, whose execution units are
// the compute units.
cl_int attribute_info(Device& device, cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_IP_VERSION_INTEL:
    return out.put<cl_version>(processor_version());
  case CL_DEVICE_ID_INTEL:
    return out.put<cl_uint>(processor::identity());
  case CL_DEVICE_NUM_SLICES_INTEL:
  case CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL:
  case CL_DEVICE_NUM_THREADS_PER_EU_INTEL:
    return out.put<cl_uint>(1);
  case CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL:
    return out.put<cl_uint>(device.compute_units());
  case CL_DEVICE_FEATURE_CAPABILITIES_INTEL:
    return out.put<cl_device_feature_capabilities_intel>(0);
  default:
    return kNotMine;
  }
}

} // namespace heddle::icd
