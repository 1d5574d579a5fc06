// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers (OpenCL API 5.8).
#include "tests/api/api_test.h"

#include <cfloat>
#include <cstring>

namespace heddle::test {
namespace {

class SamplerTest : public ApiTest {
 protected:
  Sampler make(const cl_sampler_properties* list) {
    return Sampler(clCreateSamplerWithProperties(context_, list, &status_));
  }
  cl_int status_ = 1;
};

template <class T>
T sampler_info(cl_sampler sampler, cl_sampler_info name) {
  T value{};
  check(clGetSamplerInfo(sampler, name, sizeof value, &value, nullptr), "clGetSamplerInfo");
  return value;
}

cl_sampler_properties bits(float value) {
  cl_uint word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

TEST_F(SamplerTest, Defaults) {
  const auto sampler = make(nullptr);
  ASSERT_EQ(status_, CL_SUCCESS);
  EXPECT_EQ(sampler_info<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT), 1u);
  EXPECT_EQ(sampler_info<cl_context>(sampler, CL_SAMPLER_CONTEXT), context_.get());
  EXPECT_EQ(sampler_info<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_TRUE});
  EXPECT_EQ(sampler_info<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_CLAMP});
  EXPECT_EQ(sampler_info<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE),
            cl_filter_mode{CL_FILTER_NEAREST});
  EXPECT_EQ(sampler_info<cl_filter_mode>(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR),
            cl_filter_mode{CL_FILTER_NEAREST});
  EXPECT_EQ(sampler_info<float>(sampler, CL_SAMPLER_LOD_MIN_KHR), 0.0f);
  EXPECT_EQ(sampler_info<float>(sampler, CL_SAMPLER_LOD_MAX_KHR), FLT_MAX);
  size_t size = 99;
  check(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, nullptr, &size), "properties");
  EXPECT_EQ(size, 0u);
}

TEST_F(SamplerTest, EveryState) {
  for (const cl_bool normalized : {CL_FALSE, CL_TRUE})
    for (cl_addressing_mode mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_MIRRORED_REPEAT; ++mode)
      for (const cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE,
                                              filter,
                                              CL_SAMPLER_NORMALIZED_COORDS,
                                              normalized,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              mode,
                                              0};
        const Sampler first(clCreateSampler(context_, normalized, mode, filter, &status_));
        ASSERT_EQ(status_, CL_SUCCESS);
        const auto second = make(list);
        ASSERT_EQ(status_, CL_SUCCESS);
        for (const cl_sampler sampler : {first.get(), second.get()}) {
          EXPECT_EQ(sampler_info<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS), normalized);
          EXPECT_EQ(sampler_info<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE), mode);
          EXPECT_EQ(sampler_info<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE), filter);
        }
        cl_sampler_properties stored[7] = {};
        size_t size = 0;
        check(clGetSamplerInfo(second, CL_SAMPLER_PROPERTIES, sizeof stored, stored, &size),
              "properties");
        EXPECT_EQ(size, sizeof list);
        EXPECT_EQ(std::memcmp(stored, list, sizeof list), 0);
        check(clGetSamplerInfo(first, CL_SAMPLER_PROPERTIES, 0, nullptr, &size), "properties");
        EXPECT_EQ(size, 0u);
      }
}

TEST_F(SamplerTest, Mipmaps) {
  const cl_sampler_properties list[] = {CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                        CL_FILTER_LINEAR,
                                        CL_SAMPLER_LOD_MIN_KHR,
                                        bits(0.75f),
                                        CL_SAMPLER_LOD_MAX_KHR,
                                        bits(3.5f),
                                        0};
  const auto sampler = make(list);
  ASSERT_EQ(status_, CL_SUCCESS);
  EXPECT_EQ(sampler_info<cl_filter_mode>(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR),
            cl_filter_mode{CL_FILTER_LINEAR});
  EXPECT_EQ(sampler_info<float>(sampler, CL_SAMPLER_LOD_MIN_KHR), 0.75f);
  EXPECT_EQ(sampler_info<float>(sampler, CL_SAMPLER_LOD_MAX_KHR), 3.5f);
}

TEST_F(SamplerTest, InfoContract) {
  const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
  const auto sampler = make(list);
  for (cl_uint name = CL_SAMPLER_REFERENCE_COUNT; name <= CL_SAMPLER_PROPERTIES; ++name)
    expect_info_contract(
        [&](cl_uint n, size_t bytes, void* value, size_t* ret) {
          return clGetSamplerInfo(sampler, n, bytes, value, ret);
        },
        name);
  EXPECT_EQ(clGetSamplerInfo(sampler, 0x114F, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(SamplerTest, Errors) {
  EXPECT_FALSE(clCreateSampler(nullptr, CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &status_));
  EXPECT_EQ(status_, CL_INVALID_CONTEXT);
  EXPECT_FALSE(clCreateSamplerWithProperties(nullptr, nullptr, &status_));
  EXPECT_EQ(status_, CL_INVALID_CONTEXT);
  const auto create = [&](cl_bool normalized, cl_addressing_mode mode, cl_filter_mode filter) {
    const Sampler sampler(clCreateSampler(context_, normalized, mode, filter, &status_));
    return status_;
  };
  EXPECT_EQ(create(2, CL_ADDRESS_NONE, CL_FILTER_NEAREST), CL_INVALID_VALUE);
  EXPECT_EQ(create(CL_TRUE, CL_ADDRESS_NONE - 1, CL_FILTER_NEAREST), CL_INVALID_VALUE);
  EXPECT_EQ(create(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT + 1, CL_FILTER_NEAREST), CL_INVALID_VALUE);
  EXPECT_EQ(create(CL_TRUE, CL_ADDRESS_NONE, CL_FILTER_LINEAR + 1), CL_INVALID_VALUE);
  const cl_sampler_properties wrong[][5] = {
      {CL_SAMPLER_NORMALIZED_COORDS, 2, 0},
      {CL_SAMPLER_NORMALIZED_COORDS, (cl_sampler_properties{1} << 32) + 1, 0},
      {CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_NEAREST, 0},
      {CL_SAMPLER_FILTER_MODE, CL_ADDRESS_NONE, 0},
      {CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_ADDRESS_NONE, 0},
      {CL_SAMPLER_LOD_MIN_KHR, bits(2), CL_SAMPLER_LOD_MAX_KHR, bits(1), 0},
      {CL_SAMPLER_CONTEXT, 0, 0},
      {CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0},
  };
  for (const auto& list : wrong) {
    EXPECT_FALSE(make(list));
    EXPECT_EQ(status_, CL_INVALID_VALUE) << list[0] << ' ' << list[1];
  }
  EXPECT_EQ(clGetSamplerInfo(nullptr, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clRetainSampler(nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clReleaseSampler(nullptr), CL_INVALID_SAMPLER);
}

TEST_F(SamplerTest, References) {
  auto sampler = make(nullptr);
  EXPECT_EQ(clRetainSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(sampler_info<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(sampler_info<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT), 1u);
}

} // namespace
} // namespace heddle::test
