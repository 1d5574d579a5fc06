// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_sampler (OpenCL API 5.8).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"
#include "runtime/core/result.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cfloat>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

// Defaults are those of clCreateSamplerWithProperties.
struct SamplerState {
  cl_bool normalized_coords = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  cl_filter_mode mip_filter = CL_FILTER_NEAREST;
  float lod_min = 0;
  float lod_max = FLT_MAX;

  // Whether all values are valid: they may come from the user.
  bool is_valid() const;
  // Sets a property of the user's list, of which is_valid() is to be asked afterwards. The levels
  // of detail are given as the bits of a float. CL_INVALID_VALUE for an unknown name or a value
  // that the property's type does not hold.
  cl_int set(cl_sampler_properties name, cl_sampler_properties value);
  // What a kernel gets as its argument (compiler/interface/image_abi.h).
  std::uint64_t word() const;
};

class Sampler final : public Object {
 public:
  static constexpr Kind kKind = Kind::sampler;

  // `properties`: as given by the user, with the terminating zero; empty if none were given.
  Sampler(Context& context, const SamplerState& state,
          std::vector<cl_sampler_properties> properties)
      : Object(kKind), context_(&context), state_(state), properties_(std::move(properties)) {}

  Context& context() const { return *context_; }
  const SamplerState& state() const { return state_; }
  std::span<const cl_sampler_properties> properties() const { return properties_; }

 private:
  ~Sampler() override = default;

  ParentRef<Context> context_;
  const SamplerState state_;
  const std::vector<cl_sampler_properties> properties_;
};

} // namespace heddle
