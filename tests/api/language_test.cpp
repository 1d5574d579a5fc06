// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C in kernels: spot checks of arithmetic, math and conversions, vector memory, atomics,
// async copies, functions, constants.
#include "tests/api/api_test.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace heddle::test {
namespace {

using Ints = std::vector<cl_int>;
using Floats = std::vector<cl_float>;

const float kInfinity = std::numeric_limits<float>::infinity();

// Distance in units in the last place of the reference.
double ulps(float got, double wanted) {
  if (std::isnan(wanted))
    return std::isnan(got) ? 0 : 1e9;
  if (std::isinf(static_cast<float>(wanted)) || std::isinf(got))
    return got == static_cast<float>(wanted) ? 0 : 1e9;
  int exponent = 0;
  std::frexp(wanted, &exponent);
  return std::fabs(got - wanted) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

struct Function {
  const char* name;
  double (*reference)(double);
  double bound; // OpenCL C 7.4, full profile
};

TEST(Math, OneArgument) {
  const Function functions[] = {
      {"sin", std::sin, 4},     {"cos", std::cos, 4},     {"tan", std::tan, 5},
      {"exp", std::exp, 3},     {"exp2", std::exp2, 3},   {"log", std::log, 3},
      {"log2", std::log2, 3},   {"sqrt", std::sqrt, 3},   {"cbrt", std::cbrt, 2},
      {"asin", std::asin, 4},   {"acos", std::acos, 4},   {"atan", std::atan, 5},
      {"sinh", std::sinh, 4},   {"cosh", std::cosh, 4},   {"tanh", std::tanh, 5},
      {"asinh", std::asinh, 4}, {"acosh", std::acosh, 4}, {"atanh", std::atanh, 5},
      {"log1p", std::log1p, 2}, {"expm1", std::expm1, 3}, {"log10", std::log10, 3},
      {"erf", std::erf, 16},    {"erfc", std::erfc, 16},  {"tgamma", std::tgamma, 16},
      {"floor", std::floor, 0}, {"ceil", std::ceil, 0},   {"trunc", std::trunc, 0},
      {"rint", std::rint, 0},   {"round", std::round, 0}, {"fabs", std::fabs, 0}};
  Floats inputs{0.f,         -0.f,    1.f,    -1.f,  0.5f,      -0.5f,      0.1f,
                3.14159265f, 1e-10f,  10.f,   88.f,  2.5f,      -2.5f,      100.f,
                12345.678f,  1e20f,   -1e20f, 3e38f, kInfinity, -kInfinity, NAN,
                1.0001f,     0.9999f, 7.25f,  -7.75f};
  std::string source =
      "kernel void k(global float* out, global const float* in) { size_t i = get_global_id(0); "
      "float x = in[i]; global float* o = out + i * 30;\n";
  for (size_t f = 0; f != std::size(functions); ++f)
    source += "o[" + std::to_string(f) + "] = " + functions[f].name + "(x);\n";
  const auto out = compute<cl_float>(source + "}", "", {{inputs.size()}, {}, {}},
                                     inputs.size() * std::size(functions), inputs);
  static_assert(std::size(functions) == 30);
  for (size_t i = 0; i != inputs.size(); ++i)
    for (size_t f = 0; f != 30; ++f)
      EXPECT_LE(ulps(out[i * 30 + f], functions[f].reference(inputs[i])), functions[f].bound)
          << functions[f].name << "(" << inputs[i] << ") = " << out[i * 30 + f];
}

TEST(Math, TwoArguments) {
  const Floats a{1.f, 2.f, -3.f, 0.f, 2.f, 10.f, 0.25f, 7.f, kInfinity, 1e30f};
  const Floats b{2.f, 0.5f, 3.f, 0.f, -2.f, -3.f, 4.f, 2.5f, 1.f, 1e30f};
  const auto out = compute<cl_float>(R"(
    kernel void k(global float* out, global const float* a, global const float* b) {
      size_t i = get_global_id(0);
      global float* o = out + i * 6;
      o[0] = pow(a[i], b[i]); o[1] = atan2(a[i], b[i]); o[2] = fmod(a[i], b[i]);
      o[3] = hypot(a[i], b[i]); o[4] = fma(a[i], b[i], 1.5f); o[5] = fmax(a[i], b[i]);
    })",
                                     "", {{10}, {}, {}}, 60, a, b);
  for (size_t i = 0; i != a.size(); ++i) {
    EXPECT_LE(ulps(out[i * 6], std::pow(double(a[i]), double(b[i]))), 16) << i;
    EXPECT_LE(ulps(out[i * 6 + 1], std::atan2(double(a[i]), double(b[i]))), 6) << i;
    EXPECT_LE(ulps(out[i * 6 + 2], std::fmod(double(a[i]), double(b[i]))), 0) << i;
    EXPECT_LE(ulps(out[i * 6 + 3], std::hypot(double(a[i]), double(b[i]))), 4) << i;
    EXPECT_LE(ulps(out[i * 6 + 4], std::fma(double(a[i]), double(b[i]), 1.5)), 1) << i;
    EXPECT_EQ(out[i * 6 + 5], std::fmax(a[i], b[i])) << i;
  }
}

TEST(Math, Doubles) {
  if (!has_fp64())
    GTEST_SKIP() << "no fp64";
  const std::vector<cl_double> in{0.1, 1.0, 2.5, -3.7, 100.25, 1e-5, 12345.0};
  const auto out = compute<cl_double>(
      "kernel void k(global double* out, global const double* in) { size_t i = "
      "get_global_id(0); out[i * 3] = sin(in[i]); out[i * 3 + 1] = exp(-fabs(in[i])); "
      "out[i * 3 + 2] = sqrt(fabs(in[i])); }",
      "", {{7}, {}, {}}, 21, in);
  for (size_t i = 0; i != in.size(); ++i) {
    EXPECT_NEAR(out[i * 3], std::sin(in[i]), 1e-15);
    EXPECT_NEAR(out[i * 3 + 1], std::exp(-std::fabs(in[i])), 1e-15);
    EXPECT_EQ(out[i * 3 + 2], std::sqrt(std::fabs(in[i])));
  }
}

TEST(Math, VectorsAndPointers) {
  const auto out = compute<cl_float>(R"(
    kernel void k(global float* out) {
      float4 x = (float4)(0.25f, -1.5f, 3.75f, 100.125f), whole, c;
      int4 e;
      float4 f = fract(x, &whole);
      vstore4(f, 0, out); vstore4(whole, 1, out);
      float4 m = frexp(x, &e);
      vstore4(m, 2, out); vstore4(convert_float4(e), 3, out);
      float4 s = sincos((float4)(0), &c);
      vstore4(s, 4, out); vstore4(c, 5, out);
      vstore4(max(x, 1.0f), 6, out); vstore4(mix(x, (float4)(0), 0.5f), 7, out);
    })",
                                     "", {{1}, {}, {}}, 32);
  const Floats expected{0.25f,  0.5f,    0.75f, 0.125f,   0,       -2,
                        3,      100,     0.5f,  -0.75f,   0.9375f, 100.125f / 128,
                        -1,     1,       2,     7,        0,       0,
                        0,      0,       1,     1,        1,       1,
                        1,      1,       3.75f, 100.125f, 0.125f,  -0.75f,
                        1.875f, 50.0625f};
  EXPECT_EQ(out, expected);
}

TEST(Integers, Builtins) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      volatile int a = -7, b = 3; volatile uint u = 0xf0000001u; volatile char c = -128;
      int n = 0;
      out[n++] = abs(a) + (int)abs_diff(a, b); out[n++] = clz((int)u >> 31 == -1 ? 1u : 0u);
      out[n++] = popcount(u); out[n++] = rotate(u, 4u); out[n++] = mul_hi(0x40000000, 8);
      out[n++] = add_sat((char)c, (char)-1); out[n++] = sub_sat((uchar)3, (uchar)5);
      out[n++] = hadd(7, 8) * 100 + rhadd(7, 8); out[n++] = mad24(1000, 1000, 5);
      out[n++] = clamp(a, 0, 2); out[n++] = upsample((short)1, (ushort)2);
      out[n++] = a >> 1; out[n++] = 1 << (b + 32); out[n++] = ctz(8); out[n++] = bitselect(0xff, 0x0f, 0x3c);
      out[n++] = select(1, 2, a < b); out[n++] = any((int4)(0, -1, 0, 0)) + 2 * all((int4)(-1, -1, -1, 0));
    })",
                                   "-cl-std=CL3.0", {{1}, {}, {}}, 17);
  EXPECT_EQ(out, (Ints{17, 31, 5, 0x1f, 2, -128, 0, 708, 1000005, 0, 65538, -4, 8, 3, 0xcf, 2, 1}));
}

TEST(Conversions, RoundingAndSaturation) {
  const Floats in{2.5f, -2.5f, 3.5f, 300.f, -300.f, NAN, 0.49f, -0.51f};
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out, global const float* in) {
      float x = in[get_global_id(0)];
      global int* o = out + get_global_id(0) * 7;
      o[0] = convert_int_rte(clamp(x, -1000.f, 1000.f)); o[1] = convert_int_rtz(clamp(x, -1000.f, 1000.f));
      o[2] = convert_int_rtp(clamp(x, -1000.f, 1000.f)); o[3] = convert_int_rtn(clamp(x, -1000.f, 1000.f));
      o[4] = convert_uchar_sat(x); o[5] = convert_char_sat_rte(x); o[6] = convert_int4_sat_rte((float4)(x * 1e10f)).z;
    })",
                                   "", {{8}, {}, {}}, 56, in);
  const int big = 2147483647;
  const int expected[8][7] = {{2, 2, 3, 2, 2, 2, big},
                              {-2, -2, -2, -3, 0, -2, -big - 1},
                              {4, 3, 4, 3, 3, 4, big},
                              {300, 300, 300, 300, 255, 127, big},
                              {-300, -300, -300, -300, 0, -128, -big - 1},
                              {0, 0, 0, 0, 0, 0, 0},
                              {0, 0, 1, 0, 0, 0, big},
                              {-1, 0, 0, -1, 0, -1, -big - 1}};
  for (int i = 0; i != 8; ++i)
    for (int j = 0; j != 7; ++j)
      if (i != 5 || j >= 4) { // NaN to an integer is only defined with _sat
        EXPECT_EQ(out[i * 7 + j], expected[i][j]) << in[i] << " column " << j;
      }
}

TEST(Conversions, FromIntegers) {
  const auto out = compute<cl_uint>(R"(
    kernel void k(global uint* out, global const int* in) {
      int x = in[0]; uint u = (uint)in[1];
      out[0] = as_uint(convert_float_rte(x)); out[1] = as_uint(convert_float_rtz(x));
      out[2] = as_uint(convert_float_rtp(u)); out[3] = as_uint(convert_float_rtn(u));
      out[4] = convert_uchar_sat(x); out[5] = (uint)convert_short_sat(x); out[6] = convert_ushort_sat(in[2]);
      out[7] = (uint)convert_char(in[2]);
    })",
                                    "", {{1}, {}, {}}, 8, Ints{16777217, -1, -300});
  const auto bits = [](float x) {
    cl_uint u;
    std::memcpy(&u, &x, 4);
    return u;
  };
  EXPECT_EQ(out, (std::vector<cl_uint>{bits(16777216.f), bits(16777216.f), bits(4294967296.f),
                                       bits(4294967040.f), 255, 32767, 0,
                                       static_cast<cl_uint>(static_cast<cl_char>(-300))}));
}

TEST(VectorMemory, LoadAndStoreUnaligned) {
  Ints in(64);
  std::iota(in.begin(), in.end(), 0);
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out, global const int* in) {
      vstore4(vload4(1, in + 1), 0, out + 1);
      vstore3(vload3(2, in), 2, out);
      vstore16(vload16(1, in + 3), 1, out + 5);
      vstore2(vload8(0, in + 7).s71, 30, out);
    })",
                                   "", {{1}, {}, {}}, 64, in);
  Ints model(64);
  for (int i = 0; i != 4; ++i)
    model[1 + i] = 5 + i;
  for (int i = 0; i != 3; ++i)
    model[6 + i] = 6 + i;
  for (int i = 0; i != 16; ++i)
    model[21 + i] = 19 + i;
  model[60] = 14;
  model[61] = 8;
  EXPECT_EQ(out, model);
}

// Each work-item walks through a row of its own, which asks for few lanes; but the array's elements
// are interleaved for the lanes that the kernel had before.
TEST(VectorMemory, PrivateArraysInRows) {
  constexpr size_t kItems = 60;
  std::vector<cl_uint> at(kItems);
  for (size_t i = 0; i != kItems; ++i)
    at[i] = static_cast<cl_uint>(i * 17 % 61);
  const auto out = compute<cl_char>("kernel void k(global char* out, global const uint* at) {\n"
                                    "  char array[128];\n"
                                    "  uint i = get_global_id(0), first = at[i];\n"
                                    "  vstore2((char2)(i, -i), first, array);\n"
                                    "  for (uint j = 0, n = at[0] + 2; j < n; ++j)\n"
                                    "    out[2 * first + j] = array[2 * first + j];\n"
                                    "}",
                                    "", {{kItems}, {}, {}}, 2 * 61, at);
  for (size_t i = 0; i != kItems; ++i) {
    EXPECT_EQ(out[2 * at[i]], static_cast<cl_char>(i)) << i;
    EXPECT_EQ(out[2 * at[i] + 1], static_cast<cl_char>(-static_cast<int>(i))) << i;
  }
}

TEST(VectorMemory, Half) {
  const auto out = compute<cl_uint>(R"(
    kernel void k(global uint* out, global const float* in) {
      ushort words[8];
      half* cells = (half*)words;
      global ushort* o = (global ushort*)out;
      for (int i = 0; i < 4; ++i) {
        vstore_half_rte(in[i], i, cells);
        vstore_half_rtz(in[i], i + 4, cells);
      }
      for (int i = 0; i < 8; ++i) o[i] = words[i];
      out[4] = as_uint(vload_half(1, cells)); out[5] = as_uint(vload_half4(0, cells).w);
    })",
                                    "", {{1}, {}, {}}, 6, Floats{1.f, -2.5f, 65520.f, 0.00003f});
  const auto half = [&](int i) { return (out[i / 2] >> (i % 2 * 16)) & 0xffff; };
  EXPECT_EQ(half(0), 0x3c00u);
  EXPECT_EQ(half(1), 0xc100u);
  EXPECT_EQ(half(2), 0x7c00u); // rounds to infinity
  EXPECT_EQ(half(6), 0x7bffu); // towards zero: the largest finite one
  EXPECT_EQ(out[4], 0xc0200000u);
}

TEST(VectorMemory, ComponentsAndShuffles) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      int8 v = (int8)((int4)(0, 1, 2, 3), 4, 5, (int2)(6, 7));
      v.s07 = v.s70; v.lo.even += 10;
      vstore8(v, 0, out);
      vstore4(shuffle(v, (uint4)(7, 6, 0, 0)), 2, out);
      vstore4(shuffle2(v.lo, v.hi, (uint4)(4, 3, 7, 0)), 3, out);
      int3 t = (int3)(1, 2, 3);
      out[16] = sizeof(int3) + t.zyx.x; out[17] = dot((float3)(1, 2, 3), (float3)(4, 5, 6));
      out[18] = as_int4(as_uchar16(v.lo)).y; out[19] = (v.lo > v.hi).x + 10 * (1 > 0);
    })",
                                   "", {{1}, {}, {}}, 20);
  EXPECT_EQ(out, (Ints{17, 1, 12, 3, 4, 5, 6, 0, 0, 6, 17, 17, 4, 3, 0, 17, 19, 32, 1, 9}));
}

// Swizzles of variables, constants and expressions next to constants, in literals and initializers:
// Clang 22 alone does not terminate on them.
TEST(VectorLiterals, OfSwizzles) {
  const auto out = compute<cl_float>(R"(
    constant float4 known = (float4)((float2)(1.0f), ((float4)(3.0f)).yz);
    kernel void k(global float* out, global const float* in) {
      float4 c = vload4(0, in);
      vstore4((float4)((float2)(1.0f), (c + c).yz), 0, out);
      vstore4((float4)((float2)(1.0f), ((float4)(3.0f, 4.0f, 5.0f, 6.0f)).yz), 1, out);
      vstore4((float4)((float2)(1.0f), (c + c).y, 2.0f), 2, out);
      vstore4((float4)(((float4)(3.0f, 4.0f, 5.0f, 6.0f)).w, (c * c).z, (c - c).xy), 3, out);
      float4 list = {(float2)(7.0f, 8.0f), (c + c).wx};
      vstore4(list, 4, out);
      float4 lists[2] = {{(float2)(9.0f), (c + c).yz}, {1.0f, (c + c).zw, -1.0f}};
      vstore4(lists[0], 5, out);
      vstore4(lists[1], 6, out);
      vstore4(known, 7, out);
    })",
                                     "", {{1}, {}, {}}, 32, Floats{1, 2, 3, 4});
  EXPECT_EQ(out, (Floats{1, 1, 4, 6, 1, 1, 4, 5, 1, 1, 4, 2,  6, 9, 0, 0,
                         7, 8, 8, 2, 9, 9, 4, 6, 1, 6, 8, -1, 1, 1, 3, 3}));
}

TEST(Atomics, ManyItems) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      int i = (int)get_global_id(0);
      atomic_inc(out); atomic_add(out + 1, i); atomic_max(out + 2, i); atomic_min(out + 3, -i);
      atomic_or(out + 4, 1 << (i % 20)); atomic_xor(out + 5, i); atomic_sub(out + 6, 2);
      int seen, next;
      do { seen = out[7]; next = seen + 3; } while (atomic_cmpxchg(out + 7, seen, next) != seen);
      if (atomic_xchg(out + 8, 1) == 0) atomic_inc(out + 9);
    })",
                                   "", {{10000}, {}, {}}, 10);
  int exclusive = 0;
  for (int i = 0; i != 10000; ++i)
    exclusive ^= i;
  EXPECT_EQ(out,
            (Ints{10000, 49995000, 9999, -9999, (1 << 20) - 1, exclusive, -20000, 30000, 1, 1}));
}

TEST(Atomics, SixtyFourBits) {
  if (device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_int64_base_atomics") == std::string::npos)
    GTEST_SKIP() << "no 64-bit atomics";
  const auto out = compute<cl_ulong>(R"(
    #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
    kernel void k(global ulong* out) { atom_add(out, 1ul << 33); atom_inc(out + 1); })",
                                     "", {{1000}, {}, {}}, 2);
  EXPECT_EQ(out, (std::vector<cl_ulong>{cl_ulong{1000} << 33, 1000}));
}

TEST(Atomics, CElevenStyle) {
  if (device_text(CL_DEVICE_VERSION).rfind("OpenCL 3.", 0) != 0)
    GTEST_SKIP() << "not an OpenCL 3 device";
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      volatile global atomic_int* a = (volatile global atomic_int*)out;
      atomic_fetch_add_explicit(a, 2, memory_order_relaxed, memory_scope_device);
      local atomic_int tile;
      if (get_local_id(0) == 0) atomic_store_explicit(&tile, 0, memory_order_relaxed, memory_scope_work_group);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      atomic_fetch_add_explicit(&tile, 1, memory_order_relaxed, memory_scope_work_group);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0)
        out[1 + get_group_id(0)] = atomic_load_explicit(&tile, memory_order_relaxed, memory_scope_work_group);
    })",
                                   "-cl-std=CL3.0", {{128}, {32}, {}}, 5);
  EXPECT_EQ(out, (Ints{256, 32, 32, 32, 32}));
}

TEST(AsyncCopy, ThereAndBack) {
  Ints in(1024);
  std::iota(in.begin(), in.end(), 0);
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out, global const int* in) {
      local int tile[64], strided[32];
      size_t base = get_group_id(0) * 64;
      event_t e = async_work_group_copy(tile, in + base, 64, 0);
      e = async_work_group_strided_copy(strided, in + base + 1, 32, 2, e);
      wait_group_events(1, &e);
      int i = get_local_id(0);
      int a = tile[63 - i], b = strided[i / 2];
      barrier(CLK_LOCAL_MEM_FENCE);
      tile[i] = a * 10000 + b;
      barrier(CLK_LOCAL_MEM_FENCE);
      event_t f = async_work_group_copy(out + base, tile, 64, 0);
      wait_group_events(1, &f);
      prefetch(in, 16);
    })",
                                   "", {{1024}, {64}, {}}, 1024, in);
  for (int i = 0; i != 1024; ++i) {
    const int base = i / 64 * 64, at = i % 64;
    ASSERT_EQ(out[i], (base + 63 - at) * 10000 + base + at / 2 * 2 + 1);
  }
}

TEST(Functions, DeepCallGraph) {
  std::string source = "int f0(int x) { return x + 1; }\n";
  for (int i = 1; i != 60; ++i)
    source += "int f" + std::to_string(i) + "(int x) { if (x % " + std::to_string(i + 1) +
              " == 0) return f" + std::to_string(i - 1) + "(x) + 1; return f" +
              std::to_string(i - 1) + "(x + " + std::to_string(i) + ") - 1; }\n";
  const auto out = compute<cl_int>(
      source +
          "kernel void k(global int* out) { out[get_global_id(0)] = f59((int)get_global_id(0)); }",
      "", {{100}, {}, {}}, 100);
  for (int g = 0; g != 100; ++g) {
    int x = g, add = 0;
    for (int i = 59; i > 0; --i) {
      if (x % (i + 1) == 0)
        ++add;
      else {
        x += i;
        --add;
      }
    }
    ASSERT_EQ(out[g], x + 1 + add);
  }
}

TEST(Functions, KernelsCallKernels) {
  const auto out = compute<cl_int>(R"(
    kernel void inner(global int* out, int v) { out[get_global_id(0)] += v; barrier(CLK_GLOBAL_MEM_FENCE); }
    kernel void k(global int* out) { inner(out, 5); inner(out, 6); })",
                                   "", {{64}, {16}, {}}, 64);
  EXPECT_EQ(out, Ints(64, 11));
}

TEST(Functions, PointersToEverySpace) {
  const auto out = compute<cl_int>(R"(
    constant int offsets[] = {1, 2, 3};
    void add_private(int* p, int v) { *p += v; }
    void add_local(local int* p, int v) { *p += v; }
    int sum_constant(constant int* p, int n) { int s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
    typedef struct { int a[3]; struct { short b; float4 c; } inner; } Deep;
    Deep make(int x) { Deep d; for (int i = 0; i < 3; ++i) d.a[i] = x + i; d.inner.b = 9; d.inner.c = (float4)(x); return d; }
    kernel void k(global int* out) {
      local int cell[8];
      int i = get_local_id(0), x = 0;
      cell[i] = 10 * i;
      add_private(&x, 3); add_local(&cell[i], x);
      Deep d = make(i);
      out[get_global_id(0)] = cell[i] + sum_constant(offsets, 3) + d.a[2] + d.inner.b + (int)d.inner.c.z;
    })",
                                   "", {{8}, {8}, {}}, 8);
  for (int i = 0; i != 8; ++i)
    EXPECT_EQ(out[i], 10 * i + 3 + 6 + i + 2 + 9 + i);
}

TEST(Constants, ProgramScope) {
  const auto out = compute<cl_int>(R"(
    constant int table[256] = {[3] = 30, [200] = 2000};
    constant float weights[2][2] = {{0.5f, 1.5f}, {2.5f, 3.5f}};
    constant struct { char c; long l; } mixed = {'x', 1l << 40};
    constant char text[] = "heddle";
    constant int* constant pointers[] = {table + 3, table + 200};
    kernel void k(global int* out) {
      int i = (int)get_global_id(0);
      out[i * 5] = table[i == 0 ? 3 : 200]; out[i * 5 + 1] = (int)(weights[i][1 - i] * 2);
      out[i * 5 + 2] = mixed.c + (int)(mixed.l >> 38); out[i * 5 + 3] = text[i]; out[i * 5 + 4] = *pointers[i];
    })",
                                   "", {{2}, {}, {}}, 10);
  EXPECT_EQ(out, (Ints{30, 3, 'x' + 4, 'h', 30, 2000, 5, 'x' + 4, 'e', 2000}));
}

TEST(ControlFlow, SwitchGotoAndLoops) {
  const auto out = compute<cl_int>(R"(
    kernel void k(global int* out) {
      int i = (int)get_global_id(0), s = 0;
      switch (i % 5) { case 0: s = 1; case 1: s += 10; break; case 3: s = 100; break; default: s = -1; }
      for (int a = 0; a < i; ++a) { if (a % 3 == 0) continue; if (a > 20) break; s += a; }
      int w = i; while (w > 1) { w = w % 2 ? w * 3 + 1 : w / 2; if (++s > 1000) break; }
      do { --s; } while (s % 7);
      out[i] = s;
    })",
                                   "", {{64}, {}, {}}, 64);
  for (int i = 0; i != 64; ++i) {
    int s = 0;
    switch (i % 5) {
    case 0:
      s = 11;
      break;
    case 1:
      s = 10;
      break;
    case 3:
      s = 100;
      break;
    default:
      s = -1;
    }
    for (int a = 0; a < i && a <= 20; ++a)
      if (a % 3)
        s += a;
    for (int w = i; w > 1;) {
      w = w % 2 ? w * 3 + 1 : w / 2;
      if (++s > 1000)
        break;
    }
    do
      --s;
    while (s % 7);
    ASSERT_EQ(out[i], s) << i;
  }
}

// Elements of five bytes: their words lie between those of an array of words.
TEST(PackedStructures, ReadAndWritten) {
  constexpr size_t kCount = 1000;
  std::vector<unsigned char> in(5 * kCount);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<unsigned char>(i * 37 >> 3);
  const auto out = compute<unsigned char>(
      "typedef struct __attribute__((packed)) { int word; char byte; } Packed;"
      "kernel void k(global Packed* out, global const Packed* in) {"
      "  size_t i = get_global_id(0);"
      "  out[i].word = in[i].word ^ 0x01020304; out[i].byte = in[i].byte + 1; }",
      "", {{kCount}, {}, {}}, in.size(), in);
  for (size_t i = 0; i < in.size(); ++i)
    ASSERT_EQ(out[i], static_cast<unsigned char>(i % 5 == 4 ? in[i] + 1 : in[i] ^ (4 - i % 5)))
        << i;
}

} // namespace
} // namespace heddle::test
