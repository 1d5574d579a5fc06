// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/features.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::features {
namespace {

constexpr cl_version kOne = CL_MAKE_VERSION(1, 0, 0);
constexpr cl_version kTwo = CL_MAKE_VERSION(2, 0, 0);
constexpr cl_version kThree = CL_MAKE_VERSION(3, 0, 0);
constexpr cl_version kOnePointTwo = CL_MAKE_VERSION(1, 2, 0);
constexpr cl_version kVersions[] = {kOne,   CL_MAKE_VERSION(1, 1, 0), kOnePointTwo, kTwo,
                                    kThree, CL_MAKE_VERSION(3, 1, 0)};

constexpr cl_name_version kExtensions[] = {
    {kOne, "cl_khr_byte_addressable_store"},
    {kOne, "cl_khr_global_int32_base_atomics"},
    {kOne, "cl_khr_global_int32_extended_atomics"},
    {kOne, "cl_khr_local_int32_base_atomics"},
    {kOne, "cl_khr_local_int32_extended_atomics"},
    {kOne, "cl_khr_int64_base_atomics"},
    {kOne, "cl_khr_int64_extended_atomics"},
    {kOne, "cl_khr_fp64"},
    {kOne, "cl_khr_fp16"},
    {kOne, "cl_khr_extended_async_copies"},
    {kOne, "cl_khr_async_work_group_copy_fence"},
    {kOne, "cl_khr_device_uuid"},
    {kOne, "cl_khr_suggested_local_work_size"},
    {kOne, "cl_khr_create_command_queue"},
    {kOne, "cl_khr_subgroups"},
    {kOne, "cl_khr_subgroup_named_barrier"},
    {kOne, "cl_khr_subgroup_extended_types"},
    {kOne, "cl_khr_subgroup_non_uniform_vote"},
    {kOne, "cl_khr_subgroup_ballot"},
    {kOne, "cl_khr_subgroup_non_uniform_arithmetic"},
    {kOne, "cl_khr_subgroup_shuffle"},
    {kOne, "cl_khr_subgroup_shuffle_relative"},
    {kOne, "cl_khr_subgroup_clustered_reduce"},
    {kOne, "cl_khr_subgroup_rotate"},
    {kOne, "cl_khr_initialize_memory"},
    {kOne, "cl_khr_priority_hints"},
    {kOne, "cl_khr_throttle_hints"},
    {CL_MAKE_VERSION(0, 9, 0), "cl_khr_unified_svm"},
    {kOne, "cl_khr_terminate_context"},
    {CL_MAKE_VERSION(1, 1, 0), "cl_intel_unified_shared_memory"},
    {kOne, "cl_intel_bfloat16_conversions"},
    {kOne, "cl_intel_device_attribute_query"},
    {kOne, "cl_intel_devicelib_assert"},
    {CL_MAKE_VERSION(1, 0, 2), "cl_ext_buffer_device_address"},
    {kOne, "cl_ext_immutable_memory_objects"},
    {CL_MAKE_VERSION(1, 1, 0), "cl_arm_import_memory"},
    {kOne, "cl_khr_il_program"},
    {kOne, "cl_khr_spirv_extended_debug_info"},
    {kOne, "cl_khr_spirv_linkonce_odr"},
    {kOne, "cl_khr_spirv_no_integer_wrap_decoration"},
    {kOne, "cl_khr_spirv_queries"},
    {kOne, "cl_khr_extended_bit_ops"},
    {kTwo, "cl_khr_integer_dot_product"},
    {kOne, "cl_khr_expect_assume"},
    {kOne, "cl_khr_work_group_uniform_arithmetic"},
    {kOne, "cl_khr_kernel_clock"},
    {kOne, "cl_ext_float_atomics"},
    {kOne, "cl_ext_cxx_for_opencl"},
    {kOne, "cl_intel_required_subgroup_size"},
    {kOne, "cl_intel_spirv_subgroups"},
    {kOne, "cl_intel_subgroups"},
    {kOne, "cl_intel_subgroups_char"},
    {kOne, "cl_intel_subgroups_short"},
    {kOne, "cl_intel_subgroups_long"},
    {CL_MAKE_VERSION(1, 0, 1), "cl_intel_subgroup_local_block_io"},
    {kOne, "cl_khr_3d_image_writes"},
    {kOne, "cl_khr_depth_images"},
    {kOne, "cl_khr_image2d_from_buffer"},
    {kOne, "cl_khr_mipmap_image"},
    {kOne, "cl_khr_mipmap_image_writes"},
    {kOne, "cl_khr_srgb_image_writes"},
    {kOne, "cl_ext_image_from_buffer"},
    {CL_MAKE_VERSION(0, 5, 0), "cl_ext_image_requirements_info"},
    {kOne, "cl_ext_image_raw10_raw12"},
    {kOne, "cl_khr_device_enqueue_local_arg_types"},
    {CL_MAKE_VERSION(1, 0, 1), "cl_khr_external_memory"},
    {kOne, "cl_khr_external_memory_opaque_fd"},
    {kOne, "cl_khr_external_memory_dma_buf"},
    {kOne, "cl_khr_semaphore"},
    {CL_MAKE_VERSION(1, 0, 1), "cl_khr_external_semaphore"},
    {kOne, "cl_khr_external_semaphore_opaque_fd"},
    {kOne, "cl_khr_external_semaphore_sync_fd"},
    {kOne, "cl_khr_command_buffer"},
    {CL_MAKE_VERSION(0, 9, 5), "cl_khr_command_buffer_mutable_dispatch"},
    {CL_MAKE_VERSION(0, 9, 2), "cl_khr_command_buffer_multi_device"},
    // The last ones are in the list of the platform only, so that programs with room for 2,048
    // bytes can read a device's (John the Ripper): none of them is looked for, as far as is known.
    {CL_MAKE_VERSION(2, 0, 1), "cl_khr_icd"},
    {kOne, "cl_khr_extended_versioning"},
    {kOne, "cl_intel_create_buffer_with_properties"},
    {CL_MAKE_VERSION(1, 1, 0), "cl_arm_import_memory_host"},
    {CL_MAKE_VERSION(1, 1, 0), "cl_arm_import_memory_dma_buf"},
    {kOne, "cl_ext_image_unorm_int_2_101010"},
    {kOne, "cl_ext_image_unsigned_10x6_12x4_14x2"},
};

constexpr std::size_t kOfPlatformOnly = 7;
constexpr std::size_t kOfDevices = std::size(kExtensions) - kOfPlatformOnly;

// In characters, with the spaces between them and the terminating zero.
constexpr std::size_t length_of_devices_list() {
  std::size_t length = 0;
  for (const auto& entry : std::span(kExtensions).first(kOfDevices))
    length += std::string_view(entry.name).size() + 1;
  return length;
}
static_assert(length_of_devices_list() <= 2048);

constexpr cl_name_version kFeatures[] = {
    {kThree, "__opencl_c_int64"},
    {kThree, "__opencl_c_fp64"},
    {kThree, "__opencl_c_atomic_order_acq_rel"},
    {kThree, "__opencl_c_atomic_order_seq_cst"},
    {kThree, "__opencl_c_atomic_scope_device"},
    {kThree, "__opencl_c_atomic_scope_all_devices"},
    {kThree, "__opencl_c_program_scope_global_variables"},
    {kThree, "__opencl_c_generic_address_space"},
    {kThree, "__opencl_c_pipes"},
    {kThree, "__opencl_c_subgroups"},
    {kThree, "__opencl_c_work_group_collective_functions"},
    {kThree, "__opencl_c_integer_dot_product_input_4x8bit"},
    {kThree, "__opencl_c_integer_dot_product_input_4x8bit_packed"},
    {kThree, "__opencl_c_kernel_clock_scope_device"},
    {kThree, "__opencl_c_kernel_clock_scope_work_group"},
    {kThree, "__opencl_c_kernel_clock_scope_sub_group"},
    {kThree, "__opencl_c_ext_fp16_global_atomic_load_store"},
    {kThree, "__opencl_c_ext_fp16_local_atomic_load_store"},
    {kThree, "__opencl_c_ext_fp16_global_atomic_add"},
    {kThree, "__opencl_c_ext_fp16_local_atomic_add"},
    {kThree, "__opencl_c_ext_fp16_global_atomic_min_max"},
    {kThree, "__opencl_c_ext_fp16_local_atomic_min_max"},
    {kThree, "__opencl_c_ext_fp32_global_atomic_add"},
    {kThree, "__opencl_c_ext_fp32_local_atomic_add"},
    {kThree, "__opencl_c_ext_fp32_global_atomic_min_max"},
    {kThree, "__opencl_c_ext_fp32_local_atomic_min_max"},
    {kThree, "__opencl_c_ext_fp64_global_atomic_add"},
    {kThree, "__opencl_c_ext_fp64_local_atomic_add"},
    {kThree, "__opencl_c_ext_fp64_global_atomic_min_max"},
    {kThree, "__opencl_c_ext_fp64_local_atomic_min_max"},
    {kThree, "__opencl_c_images"},
    {kThree, "__opencl_c_3d_image_writes"},
    {kThree, "__opencl_c_read_write_images"},
    {kThree, "__opencl_c_ext_image_raw10_raw12"},
    {kThree, "__opencl_c_ext_image_unorm_int_2_101010"},
    {kThree, "__opencl_c_ext_image_unsigned_10x6_12x4_14x2"},
    {kThree, "__opencl_c_device_enqueue"},
};

// OpenCL C 6.2.1: features that are optional in 3.0 and mandatory in 2.0; those of images only if
// the device has images.
bool has_all_of_2_0() {
  for (const char* name :
       {"__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst",
        "__opencl_c_atomic_scope_device", "__opencl_c_atomic_scope_all_devices",
        "__opencl_c_device_enqueue", "__opencl_c_generic_address_space", "__opencl_c_pipes",
        "__opencl_c_program_scope_global_variables", "__opencl_c_work_group_collective_functions"})
    if (!has_opencl_c_feature(name))
      return false;
  return !has_opencl_c_feature("__opencl_c_images") ||
         (has_opencl_c_feature("__opencl_c_3d_image_writes") &&
          has_opencl_c_feature("__opencl_c_read_write_images"));
}

} // namespace

std::span<const cl_name_version> extensions() { return std::span(kExtensions).first(kOfDevices); }
std::span<const cl_name_version> platform_extensions() { return kExtensions; }
std::span<const cl_name_version> opencl_c_features() { return kFeatures; }

std::string names(std::span<const cl_name_version> list) {
  std::string text;
  for (const auto& entry : list) {
    if (!text.empty())
      text += ' ';
    text += entry.name;
  }
  return text;
}

bool has_opencl_c_feature(std::string_view name) {
  return std::any_of(std::begin(kFeatures), std::end(kFeatures),
                     [&](const cl_name_version& feature) { return name == feature.name; });
}

bool has_images() { return has_opencl_c_feature("__opencl_c_images"); }

std::span<const cl_name_version> languages() {
  static const auto& list = *[] {
    auto* made = new std::vector<cl_name_version>;
    for (const cl_version version : kVersions)
      if (version != kTwo || has_all_of_2_0())
        made->push_back({version, "OpenCL C"});
    return made;
  }();
  return list;
}

cl_version opencl_c_version() {
  const bool has_all =
      has_all_of_2_0() && has_images() && has_opencl_c_feature("__opencl_c_fp64") &&
      has_opencl_c_feature("__opencl_c_int64") && has_opencl_c_feature("__opencl_c_subgroups");
  return has_all ? languages().back().version : kOnePointTwo;
}

const std::string& compiler_names() {
  static const std::string& text = *new std::string(names(kExtensions) + ' ' + names(kFeatures));
  return text;
}

} // namespace heddle::features
