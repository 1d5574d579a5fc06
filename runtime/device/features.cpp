#include "runtime/device/features.h"

#include <CL/cl_ext.h>

#include <algorithm>

namespace heddle::features {
namespace {

constexpr cl_version kOne = CL_MAKE_VERSION(1, 0, 0);
constexpr cl_version kThree = CL_MAKE_VERSION(3, 0, 0);

constexpr cl_name_version kExtensions[] = {
    {kOne, "cl_khr_byte_addressable_store"},
    {kOne, "cl_khr_global_int32_base_atomics"},
    {kOne, "cl_khr_global_int32_extended_atomics"},
    {kOne, "cl_khr_local_int32_base_atomics"},
    {kOne, "cl_khr_local_int32_extended_atomics"},
    {kOne, "cl_khr_int64_base_atomics"},
    {kOne, "cl_khr_int64_extended_atomics"},
    {kOne, "cl_khr_fp64"},
    {CL_MAKE_VERSION(2, 0, 0), "cl_khr_icd"},
    {kOne, "cl_khr_extended_versioning"},
    {kOne, "cl_khr_device_uuid"},
    {kOne, "cl_khr_suggested_local_work_size"},
};

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
};

} // namespace

std::span<const cl_name_version> extensions() { return kExtensions; }
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

const std::string& compiler_names() {
  static const std::string& text = *new std::string(names(kExtensions) + ' ' + names(kFeatures));
  return text;
}

} // namespace heddle::features
