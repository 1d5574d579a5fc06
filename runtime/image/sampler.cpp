// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/sampler.h"

#include "compiler/interface/image_abi.h"

#include <cmath>
#include <cstring>

namespace heddle {
namespace {

float to_float(cl_sampler_properties value) { // a float's bits
  float result = 0;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

bool is_filter(cl_filter_mode mode) {
  return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR;
}

} // namespace

bool SamplerState::is_valid() const {
  return (normalized_coords == CL_TRUE || normalized_coords == CL_FALSE) &&
         addressing >= CL_ADDRESS_NONE && addressing <= CL_ADDRESS_MIRRORED_REPEAT &&
         is_filter(filter) && is_filter(mip_filter) && !std::isnan(lod_min) &&
         !std::isnan(lod_max) && lod_min <= lod_max;
}

cl_int SamplerState::set(cl_sampler_properties name, cl_sampler_properties value) {
  switch (name) {
  case CL_SAMPLER_NORMALIZED_COORDS:
    normalized_coords = static_cast<cl_bool>(value);
    return value == normalized_coords ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_SAMPLER_ADDRESSING_MODE:
    addressing = static_cast<cl_addressing_mode>(value);
    return value == addressing ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_SAMPLER_FILTER_MODE:
    filter = static_cast<cl_filter_mode>(value);
    return value == filter ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_SAMPLER_MIP_FILTER_MODE_KHR:
    mip_filter = static_cast<cl_filter_mode>(value);
    return value == mip_filter ? CL_SUCCESS : CL_INVALID_VALUE;
  case CL_SAMPLER_LOD_MIN_KHR:
    lod_min = to_float(value);
    return CL_SUCCESS;
  case CL_SAMPLER_LOD_MAX_KHR:
    lod_max = to_float(value);
    return CL_SUCCESS;
  default:
    return CL_INVALID_VALUE;
  }
}

std::uint64_t SamplerState::word() const {
  std::uint32_t flags = filter == CL_FILTER_LINEAR ? HEDDLE_SAMPLER_LINEAR : HEDDLE_SAMPLER_NEAREST;
  if (normalized_coords)
    flags |= HEDDLE_SAMPLER_NORMALIZED;
  switch (addressing) {
  case CL_ADDRESS_CLAMP_TO_EDGE:
    flags |= HEDDLE_SAMPLER_CLAMP_TO_EDGE;
    break;
  case CL_ADDRESS_CLAMP:
    flags |= HEDDLE_SAMPLER_CLAMP;
    break;
  case CL_ADDRESS_REPEAT:
    flags |= HEDDLE_SAMPLER_REPEAT;
    break;
  case CL_ADDRESS_MIRRORED_REPEAT:
    flags |= HEDDLE_SAMPLER_MIRRORED_REPEAT;
    break;
  default: // CL_ADDRESS_NONE is 0
    break;
  }
  if (mip_filter == CL_FILTER_LINEAR)
    flags |= HEDDLE_SAMPLER_MIP_LINEAR;
  const SamplerState defaults;
  if (lod_min == defaults.lod_min && lod_max == defaults.lod_max)
    return flags;
  return abi::sampler_word(flags, lod_min, lod_max);
}

} // namespace heddle
