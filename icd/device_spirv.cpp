// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/device_spirv.h"

#include "icd/compat.h"
#include "runtime/device/spirv.h"

#include <string>
#include <vector>

namespace heddle::icd {
namespace {

// Of SPIR-V 1.0 and later ones.
std::vector<cl_name_version> versions() {
  std::vector<cl_name_version> list;
  for (cl_uint minor = 0; minor <= device_spirv::newest_minor_version(); ++minor)
    list.push_back({CL_MAKE_VERSION(1, minor, 0), "SPIR-V"});
  return list;
}

std::string version_text() {
  std::string text;
  for (cl_uint minor = 0; minor <= device_spirv::newest_minor_version(); ++minor)
    text += (text.empty() ? "SPIR-V_1." : " SPIR-V_1.") + std::to_string(minor);
  return text;
}

} // namespace

cl_int device_spirv_info(cl_device_info name, const InfoOutput& out) {
  switch (name) {
  case CL_DEVICE_IL_VERSION:
    return out.put_text(version_text());
  case CL_DEVICE_ILS_WITH_VERSION:
    return out.put_array<cl_name_version>(versions());
  case CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR:
    return out.put_array<const char* const>(device_spirv::instruction_sets());
  case CL_DEVICE_SPIRV_EXTENSIONS_KHR:
    return out.put_array<const char* const>(device_spirv::extensions());
  case CL_DEVICE_SPIRV_CAPABILITIES_KHR:
    return out.put_array<cl_uint>(device_spirv::capabilities());
  default:
    return CL_INVALID_VALUE;
  }
}

} // namespace heddle::icd
