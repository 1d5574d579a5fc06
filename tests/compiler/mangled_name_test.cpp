// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/mangled_name.h"

#include <gtest/gtest.h>

namespace heddle::compiler {
namespace {

std::string scalar_of(const char* name) {
  const auto parsed = MangledName::parse(name);
  if (!parsed)
    return "not parsed";
  const auto scalar = scalar_overload(*parsed);
  return scalar ? scalar->mangle() : "no vector";
}

TEST(MangledName, ScalarOverloads) {
  EXPECT_EQ(scalar_of("_Z3sinDv4_f"), "_Z3sinf");
  EXPECT_EQ(scalar_of("_Z3maxDv4_ff"), "_Z3maxff");
  EXPECT_EQ(scalar_of("_Z5clampDv16_hS_S_"), "_Z5clamphhh");
  EXPECT_EQ(scalar_of("_Z5ldexpDv2_dDv2_i"), "_Z5ldexpdi");
  EXPECT_EQ(scalar_of("_Z3expDv8_Dh"), "_Z3expDh");
  EXPECT_EQ(scalar_of("_Z6sincosDv4_fPS_"), "_Z6sincosfPf");
  EXPECT_EQ(scalar_of("_Z5fractDv4_fPU3AS1S_"), "_Z5fractfPU3AS1f");
  EXPECT_EQ(scalar_of("_Z6remquoDv3_fS_PU3AS4Dv3_i"), "_Z6remquoffPU3AS4i");
  EXPECT_EQ(scalar_of("_Z1fPU3AS1Dv4_fS0_S1_"), "_Z1fPU3AS1fS_S0_");
  EXPECT_EQ(scalar_of("_Z1fPU3AS1KDv4_fS1_PS_"), "_Z1fPU3AS1KfS0_Pf");
}

TEST(MangledName, WidthsInConversions) {
  EXPECT_EQ(scalar_of("_Z14convert_float4Dv4_i"), "_Z13convert_floati");
  EXPECT_EQ(scalar_of("_Z22convert_uchar4_sat_rteDv4_f"), "_Z21convert_uchar_sat_rtef");
  EXPECT_EQ(scalar_of("_Z15convert_float16Dv16_j"), "_Z13convert_floatj");
}

TEST(MangledName, WhatHasNoScalarOverload) {
  EXPECT_EQ(scalar_of("_Z3sinf"), "no vector");
  EXPECT_EQ(scalar_of("_Z13get_global_idj"), "no vector");
  EXPECT_EQ(scalar_of("sin"), "not parsed");
  EXPECT_EQ(scalar_of("_Z3sin"), "no vector");
  EXPECT_EQ(scalar_of("_Z9sinDv4_f"), "not parsed");
  EXPECT_EQ(scalar_of("_Z3sinDv4_"), "not parsed");
  EXPECT_EQ(scalar_of("_Z3sinS_"), "not parsed");
  EXPECT_EQ(scalar_of("_Z3sinSZZ_"), "not parsed");
  EXPECT_EQ(scalar_of("_Z99999999999999999999x"), "not parsed");
}

TEST(MangledName, MangleGivesBackWhatWasParsed) {
  for (const char* name :
       {"_Z3fooPU3AS1KDv4_fS1_S_", "_Z11atomic_loadPVU3AS4U7_Atomici12memory_order",
        "_Z1ff9ocl_event9ocl_eventPS_"}) {
    const auto parsed = MangledName::parse(name);
    if (parsed) {
      EXPECT_EQ(parsed->mangle(), name);
    }
  }
}

} // namespace
} // namespace heddle::compiler
