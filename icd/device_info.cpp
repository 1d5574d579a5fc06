// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/device_info.h"

#include "icd/compat.h"
#include "icd/device_spirv.h"
#include "runtime/device/features.h"
#include "runtime/device/limits.h"
#include "runtime/device/machine.h"
#include "runtime/device/platform.h"
#include "runtime/device/sub_devices.h"
#include "runtime/device/uuid.h"
#include "runtime/device/version.h"
#include "runtime/target/processor.h"

#include <algorithm>
#include <array>
#include <string>

namespace heddle::icd {
namespace {

constexpr cl_device_fp_config kSingle = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                        CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
// OpenCL 3.0 requires only round to nearest, but OpenCL C 1.2 requires all rounding modes of fp64,
// and the conformance tests of double functions reject a device without them.
constexpr cl_device_fp_config kDouble = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                        CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
constexpr cl_device_fp_config kHalf =
    CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_FMA;
constexpr cl_device_atomic_capabilities kAtomics =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
    CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM |
    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |
    CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

// The number of elements of this size in the widest register, at most 16 (OpenCL's longest vector).
cl_uint lanes(cl_uint bytes) { return std::min(machine().vector_bytes / bytes, 16u); }

std::string opencl_c_version_text() {
  const cl_version version = features::opencl_c_version();
  return "OpenCL C " + std::to_string(CL_VERSION_MAJOR(version)) + '.' +
         std::to_string(CL_VERSION_MINOR(version)) + " Heddle " + version::kHeddle;
}

// Each function implements a part of the query table; kNotMine means that the name is not in it.

cl_int identity_info(Device& device, cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_TYPE:
    return out.put<cl_device_type>(CL_DEVICE_TYPE_CPU);
  case CL_DEVICE_VENDOR_ID:
    return out.put<cl_uint>(processor::vendor_id());
  case CL_DEVICE_NAME:
    return out.put_text(machine().cpu_name);
  case CL_DEVICE_VENDOR:
    return out.put_text("Heddle");
  case CL_DRIVER_VERSION:
    return out.put_text(version::driver());
  case CL_DEVICE_PROFILE:
    return out.put_text("FULL_PROFILE");
  case CL_DEVICE_VERSION:
    return out.put_text(version::kOpenCL);
  case CL_DEVICE_NUMERIC_VERSION:
    return out.put<cl_version>(version::kNumeric);
  case CL_DEVICE_OPENCL_C_VERSION:
    return out.put_text(opencl_c_version_text());
  case CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR:
    return out.put<cl_version>(features::opencl_c_version());
  case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
    return out.put_array(features::languages());
  case CL_DEVICE_OPENCL_C_FEATURES:
    return out.put_array(features::opencl_c_features());
  // The lowest of the two versions, whose number the conformance tests compare with
  // __OPENCL_CPP_VERSION__ of -cl-std=CLC++.
  case CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT:
    return out.put<cl_version>(CL_MAKE_VERSION(1, 0, 0));
  case CL_DEVICE_EXTENSIONS:
    return out.put_text(features::names(features::extensions()));
  case CL_DEVICE_EXTENSIONS_WITH_VERSION:
    return out.put_array(features::extensions());
  // No version has been passed officially; the specification prescribes the format.
  case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
    return out.put_text("v0000-01-01-00");
  case CL_DEVICE_IL_VERSION:
  case CL_DEVICE_ILS_WITH_VERSION:
  case CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR:
  case CL_DEVICE_SPIRV_EXTENSIONS_KHR:
  case CL_DEVICE_SPIRV_CAPABILITIES_KHR:
    return device_spirv_info(name, out);
  case CL_DEVICE_BUILT_IN_KERNELS:
    return out.put_text("");
  case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
    return out.put_array(std::span<const cl_name_version>());
  case CL_DEVICE_PLATFORM:
    return out.put<cl_platform_id>(static_cast<cl_platform_id>(Platform::get()->handle()));
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE:
  case CL_DEVICE_LINKER_AVAILABLE:
  case CL_DEVICE_ENDIAN_LITTLE:
    return out.put<cl_bool>(CL_TRUE);
  case CL_DEVICE_UUID_KHR:
    return out.put<Uuid>(device_uuid(device.cpus()));
  case CL_DRIVER_UUID_KHR:
    return out.put<Uuid>(driver_uuid());
  case CL_DEVICE_LUID_VALID_KHR:
    return out.put<cl_bool>(CL_FALSE);
  case CL_DEVICE_LUID_KHR:
    return out.put<std::array<cl_uchar, CL_LUID_SIZE_KHR>>({});
  case CL_DEVICE_NODE_MASK_KHR:
    return out.put<cl_uint>(0);
  case CL_DEVICE_REFERENCE_COUNT:
    return out.put<cl_uint>(device.parent() ? device.user_references() : 1);
  default:
    return kNotMine;
  }
}

cl_int partition_info(Device& device, cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_PARENT_DEVICE:
    return out.put<cl_device_id>(
        device.parent() ? static_cast<cl_device_id>(device.parent()->handle()) : nullptr);
  case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
    return out.put<cl_uint>(device.compute_units());
  case CL_DEVICE_PARTITION_PROPERTIES:
    return out.put_array<cl_device_partition_property>(partition_properties(device));
  case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
    return out.put<cl_device_affinity_domain>(affinity_domains(device));
  case CL_DEVICE_PARTITION_TYPE:
    if (device.partition().empty())
      return out.put_array(std::span<const cl_device_partition_property>());
    return out.put_array<cl_device_partition_property>(device.partition());
  default:
    return kNotMine;
  }
}

cl_int execution_info(Device& device, cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return out.put<cl_uint>(device.compute_units());
  case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
    return out.put<cl_uint>(3);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES:
    return out.put<std::array<size_t, 3>>(
        {limits::kWorkGroupSize, limits::kWorkGroupSize, limits::kWorkGroupSize});
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return out.put<size_t>(limits::kWorkGroupSize);
  case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
    return out.put<size_t>(preferred_group_multiple());
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
  case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    return out.put<cl_uint>(1);
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    return out.put<cl_uint>(lanes(1));
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
    return out.put<cl_uint>(lanes(2));
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    return out.put<cl_uint>(lanes(4));
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
  case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
    return out.put<cl_uint>(lanes(8));
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return out.put<cl_uint>(machine().clock_mhz);
  case CL_DEVICE_ADDRESS_BITS:
    return out.put<cl_uint>(64);
  case CL_DEVICE_SINGLE_FP_CONFIG:
    return out.put<cl_device_fp_config>(kSingle);
  case CL_DEVICE_DOUBLE_FP_CONFIG:
    return out.put<cl_device_fp_config>(kDouble);
  case CL_DEVICE_HALF_FP_CONFIG:
    return out.put<cl_device_fp_config>(kHalf);
  case CL_DEVICE_EXECUTION_CAPABILITIES:
    return out.put<cl_device_exec_capabilities>(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL);
  case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
    return out.put<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                CL_QUEUE_PROFILING_ENABLE);
  case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
    return out.put<size_t>(1);
  case CL_DEVICE_PRINTF_BUFFER_SIZE:
    return out.put<size_t>(limits::kPrintfBytes);
  case CL_DEVICE_MAX_PARAMETER_SIZE:
    return out.put<size_t>(limits::kParameterBytes);
  case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    return out.put<cl_bool>(CL_FALSE);
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
  case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
  case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    return out.put<cl_bool>(CL_TRUE);
  case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
  case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
    return out.put<cl_device_atomic_capabilities>(kAtomics);
  default:
    return kNotMine;
  }
}

cl_int memory_info(Device& device, cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return out.put<cl_ulong>(machine().memory_bytes);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    return out.put<cl_ulong>(limits::allocation_bytes());
  case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
    return out.put<cl_device_mem_cache_type>(CL_READ_WRITE_CACHE);
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    return out.put<cl_uint>(machine().cache_line_bytes);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return out.put<cl_ulong>(device.cache_bytes());
  case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
    return out.put<cl_ulong>(limits::constant_bytes());
  case CL_DEVICE_MAX_CONSTANT_ARGS:
    return out.put<cl_uint>(limits::kConstantArguments);
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return out.put<cl_device_local_mem_type>(CL_LOCAL);
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return out.put<cl_ulong>(limits::kLocalBytes);
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
    return out.put<cl_uint>(limits::kBaseAlignment * 8); // bits
  case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
    return out.put<cl_uint>(limits::kBaseAlignment);
  default:
    return kNotMine;
  }
}

// Pipes; their limits are 0 without them.
cl_int pipe_info(cl_device_info name, const InfoOutput& out) {
  const bool has_pipes = features::has_opencl_c_feature("__opencl_c_pipes");
  switch (name) {
  case CL_DEVICE_PIPE_SUPPORT:
    return out.put<cl_bool>(has_pipes);
  case CL_DEVICE_MAX_PIPE_ARGS:
    return out.put<cl_uint>(has_pipes ? limits::kPipeArguments : 0);
  case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
    return out.put<cl_uint>(has_pipes ? limits::kPipeReservations : 0);
  case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
    return out.put<cl_uint>(has_pipes ? limits::kPipePacketBytes : 0);
  default:
    return kNotMine;
  }
}

// Images and samplers; their limits are 0 without them.
cl_int image_info(cl_device_info name, const InfoOutput& out) {
  const bool has_images = features::has_images();
  const auto number = [&](cl_uint limit) { return out.put<cl_uint>(has_images ? limit : 0); };
  const auto size = [&](size_t limit) { return out.put<size_t>(has_images ? limit : 0); };
  switch (name) {
  case CL_DEVICE_IMAGE_SUPPORT:
    return out.put<cl_bool>(has_images);
  case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    return number(limits::kReadImageArguments);
  case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
  case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
    return number(limits::kWriteImageArguments);
  case CL_DEVICE_MAX_SAMPLERS:
    return number(limits::kSamplers);
  case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
    return number(limits::kImagePitchAlignment);
  case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
    return number(limits::kImageAddressAlignment);
  case CL_DEVICE_IMAGE2D_MAX_WIDTH:
  case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    return size(limits::kImage2D);
  case CL_DEVICE_IMAGE3D_MAX_WIDTH:
  case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
  case CL_DEVICE_IMAGE3D_MAX_DEPTH:
    return size(limits::kImage3D);
  case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
    return size(limits::kImageBufferTexels);
  case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
    return size(limits::kImageLayers);
  default:
    return kNotMine;
  }
}

// Sub-groups and work-group functions.
cl_int group_info(cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_MAX_NUM_SUB_GROUPS: // sub-groups of one work-item
    return out.put<cl_uint>(
        features::has_opencl_c_feature("__opencl_c_subgroups") ? limits::kWorkGroupSize : 0);
  case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
    return out.put<cl_bool>(CL_TRUE);
  case CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR:
    return out.put<cl_uint>(limits::kNamedBarriers);
  case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    return out.put<cl_bool>(
        features::has_opencl_c_feature("__opencl_c_work_group_collective_functions"));
  default:
    return kNotMine;
  }
}

// Device queues; everything is 0 without them.
cl_int device_queue_info(cl_device_info name, const InfoOutput& out) {
  const bool has = features::has_opencl_c_feature("__opencl_c_device_enqueue");
  switch (name) {
  case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
    return out.put<cl_command_queue_properties>(
        has ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE : 0);
  case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
    return out.put<cl_uint>(has ? limits::kDeviceQueueBytes : 0);
  case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
    return out.put<cl_uint>(has ? limits::kMaxDeviceQueueBytes : 0);
  case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
    return out.put<cl_uint>(has ? limits::kDeviceQueues : 0);
  case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
    return out.put<cl_uint>(has ? limits::kDeviceEvents : 0);
  case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
    return out.put<cl_device_device_enqueue_capabilities>(
        has ? CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT : 0);
  default:
    return kNotMine;
  }
}

// Features that the device does not have in each configuration: generic pointers, program-scope
// variables.
cl_int absent_info(cl_device_info name, const InfoOutput& out) {
  switch (name) {
  // Natural alignment:
  case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
  case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
    return out.put<cl_uint>(0);
  case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    return out.put<cl_bool>(features::has_opencl_c_feature("__opencl_c_generic_address_space"));
  case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
  case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
    return out.put<size_t>(
        features::has_opencl_c_feature("__opencl_c_program_scope_global_variables")
            ? limits::kProgramScopeBytes
            : 0);
  default:
    return kNotMine;
  }
}

} // namespace

size_t preferred_group_multiple() { return lanes(4); }

cl_int device_info(Device& device, cl_device_info name, const InfoOutput& out) {
  if (const auto error = identity_info(device, name, out); error != kNotMine)
    return error;
  if (const auto error = partition_info(device, name, out); error != kNotMine)
    return error;
  if (const auto error = execution_info(device, name, out); error != kNotMine)
    return error;
  if (const auto error = memory_info(device, name, out); error != kNotMine)
    return error;
  if (const auto error = device_queue_info(name, out); error != kNotMine)
    return error;
  if (const auto error = pipe_info(name, out); error != kNotMine)
    return error;
  if (const auto error = image_info(name, out); error != kNotMine)
    return error;
  if (const auto error = group_info(name, out); error != kNotMine)
    return error;
  if (const auto error = shared_memory_info(name, out); error != kNotMine)
    return error;
  if (const auto error = capability_info(name, out); error != kNotMine)
    return error;
  if (const auto error = command_buffer_info(device, name, out); error != kNotMine)
    return error;
  if (const auto error = sharing_info(name, out); error != kNotMine)
    return error;
  if (const auto error = attribute_info(device, name, out); error != kNotMine)
    return error;
  const auto error = absent_info(name, out);
  return error == kNotMine ? CL_INVALID_VALUE : error;
}

} // namespace heddle::icd
