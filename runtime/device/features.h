// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the device's extensions and __opencl_c_* features. Device queries, the platform's
// extension string and the compiler all use it.
#pragma once

#include <CL/cl.h>

#include <span>
#include <string>
#include <string_view>

namespace heddle::features {

// Extensions of the device, with their versions (CL_DEVICE_EXTENSIONS_WITH_VERSION).
std::span<const cl_name_version> extensions();
// Extensions of the platform: those that all its devices have.
std::span<const cl_name_version> platform_extensions();
// CL_DEVICE_OPENCL_C_FEATURES.
std::span<const cl_name_version> opencl_c_features();
// CL_DEVICE_OPENCL_C_ALL_VERSIONS. OpenCL C 2.0 is included if all its features that are optional
// in 3.0 are present.
std::span<const cl_name_version> languages();
// CL_DEVICE_OPENCL_C_VERSION: the last of languages() if the device has all optional features of
// OpenCL C, otherwise 1.2 (OpenCL API 4.2).
cl_version opencl_c_version();
// Names separated by spaces.
std::string names(std::span<const cl_name_version> list);
// The names of extensions and features, as the compiler expects them (heddle_request::extensions).
const std::string& compiler_names();
// Whether the device has the feature, such as "__opencl_c_generic_address_space".
bool has_opencl_c_feature(std::string_view name);
// Whether the device has images: one feature for objects, queries and kernels.
bool has_images();

} // namespace heddle::features
