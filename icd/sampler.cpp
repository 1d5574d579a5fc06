// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers (OpenCL API 5.8).
#include "runtime/image/sampler.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/device/features.h"

#include <vector>

using namespace heddle;
using namespace heddle::icd;

namespace {

// CL_INVALID_CONTEXT, CL_INVALID_OPERATION.
Result<Context*> context_with_images(cl_context context) {
  auto* owner = find<Context>(context);
  if (const auto error = check_context(owner))
    return error;
  if (!features::has_images())
    return CL_INVALID_OPERATION;
  return owner;
}

} // namespace

// CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY.
cl_sampler CL_API_CALL clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties* sampler_properties, cl_int* errcode_ret) {
  return guarded_create<cl_sampler>(errcode_ret, [&]() -> Result<cl_sampler> {
    auto owner = context_with_images(context);
    if (!owner)
      return owner.error();
    SamplerState state;
    std::vector<cl_sampler_properties> copy;
    for (const auto* at = sampler_properties; at && *at; at += 2) {
      for (std::size_t i = 0; i < copy.size(); i += 2)
        if (copy[i] == at[0])
          return CL_INVALID_VALUE;
      if (const auto error = state.set(at[0], at[1]))
        return error;
      copy.insert(copy.end(), at, at + 2);
    }
    if (!state.is_valid())
      return CL_INVALID_VALUE;
    if (sampler_properties)
      copy.push_back(0);
    return give_to_user<cl_sampler>(make_ref<Sampler>(**owner, state, std::move(copy)));
  });
}

// Deprecated. CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY.
cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                       cl_addressing_mode addressing_mode,
                                       cl_filter_mode filter_mode, cl_int* errcode_ret) {
  return guarded_create<cl_sampler>(errcode_ret, [&]() -> Result<cl_sampler> {
    auto owner = context_with_images(context);
    if (!owner)
      return owner.error();
    SamplerState state;
    state.normalized_coords = normalized_coords;
    state.addressing = addressing_mode;
    state.filter = filter_mode;
    if (!state.is_valid())
      return CL_INVALID_VALUE;
    return give_to_user<cl_sampler>(
        make_ref<Sampler>(**owner, state, std::vector<cl_sampler_properties>()));
  });
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return retain_handle<Sampler>(sampler, CL_INVALID_SAMPLER);
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return release_handle<Sampler>(sampler, CL_INVALID_SAMPLER);
}

// CL_INVALID_SAMPLER, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                    size_t param_value_size, void* param_value,
                                    size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    const auto* object = find<Sampler>(sampler);
    if (!object)
      return CL_INVALID_SAMPLER;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    const auto& state = object->state();
    switch (param_name) {
    case CL_SAMPLER_REFERENCE_COUNT:
      return out.put<cl_uint>(object->user_references());
    case CL_SAMPLER_CONTEXT:
      return out.put<cl_context>(static_cast<cl_context>(object->context().handle()));
    case CL_SAMPLER_NORMALIZED_COORDS:
      return out.put<cl_bool>(state.normalized_coords);
    case CL_SAMPLER_ADDRESSING_MODE:
      return out.put<cl_addressing_mode>(state.addressing);
    case CL_SAMPLER_FILTER_MODE:
      return out.put<cl_filter_mode>(state.filter);
    case CL_SAMPLER_MIP_FILTER_MODE_KHR:
      return out.put<cl_filter_mode>(state.mip_filter);
    case CL_SAMPLER_LOD_MIN_KHR:
      return out.put<cl_float>(state.lod_min);
    case CL_SAMPLER_LOD_MAX_KHR:
      return out.put<cl_float>(state.lod_max);
    case CL_SAMPLER_PROPERTIES:
      return out.put_array(object->properties());
    default:
      return CL_INVALID_VALUE;
    }
  });
}
