// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels compute what their source says.
#include "tests/compiler/kernel_runner.h"

#include <climits>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace heddle::test {
namespace {

TEST(KernelRun, AddsVectors) {
  Program program({R"(kernel void add(global const float* a, global const float* b,
                                      global float* c, float scale) {
    size_t i = get_global_id(0);
    c[i] = (a[i] + b[i]) * scale;
  })"});
  std::vector<float> a(1000), b(1000), c(1000);
  std::iota(a.begin(), a.end(), 0.0F);
  std::iota(b.begin(), b.end(), 7.0F);
  program.run("add", {{1000, 1, 1}, {64, 1, 1}}, // the last group is smaller
              {bytes(a.data()), bytes(b.data()), bytes(c.data()), bytes(2.0F)});
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(c[i], (a[i] + b[i]) * 2);
}

TEST(KernelRun, WorkItemFunctionsInThreeDimensions) {
  Program program({R"(kernel void ids(global ulong* out) {
    size_t i = get_global_linear_id();
    global ulong* p = out + i * 20;
    for (uint d = 0; d < 4; ++d) {
      p[d] = get_global_id(d);
      p[4 + d] = get_local_id(d);
      p[8 + d] = get_group_id(d);
      p[12 + d] = get_local_size(d);
    }
    p[16] = get_num_groups(0) * 100 + get_num_groups(1) * 10 + get_num_groups(2);
    p[17] = get_global_size(1);
    p[18] = get_local_linear_id();
    p[19] = get_enqueued_local_size(0) * 1000 + get_global_offset(2) * 10 + get_work_dim();
  })",
                   {"-cl-std=CL3.0"}});
  const Range range{{5, 3, 4}, {2, 2, 3}, {10, 20, 30}};
  std::vector<std::uint64_t> out(5 * 3 * 4 * 20, ~0ULL);
  program.run("ids", range, {bytes(out.data())});
  for (std::uint64_t z = 0; z < 4; ++z)
    for (std::uint64_t y = 0; y < 3; ++y)
      for (std::uint64_t x = 0; x < 5; ++x) {
        const auto* p = out.data() + ((z * 3 + y) * 5 + x) * 20;
        const std::uint64_t id[] = {x, y, z};
        std::uint64_t local_size[3];
        for (int d = 0; d < 3; ++d) {
          const auto group = id[d] / range.local[d];
          local_size[d] = std::min(range.local[d], range.global[d] - group * range.local[d]);
          ASSERT_EQ(p[d], id[d] + range.offset[d]);
          ASSERT_EQ(p[4 + d], id[d] % range.local[d]);
          ASSERT_EQ(p[8 + d], group);
          ASSERT_EQ(p[12 + d], local_size[d]);
        }
        ASSERT_EQ(p[3], 0U);
        ASSERT_EQ(p[7], 0U);
        ASSERT_EQ(p[11], 0U);
        ASSERT_EQ(p[15], 1U);
        ASSERT_EQ(p[16], 322U);
        ASSERT_EQ(p[17], 3U);
        ASSERT_EQ(p[18], ((z % 3) * local_size[1] + y % 2) * local_size[0] + x % 2);
        ASSERT_EQ(p[19], 2303U);
      }
}

TEST(KernelRun, DivisionDoesNotTrap) {
  Program program({R"(kernel void divide(global int* a, int zero, int minus_one) {
    int least = a[0];
    a[1] = least / minus_one;
    a[2] = least % minus_one;
    a[3] = least / zero;
    a[4] = least % zero;
    a[5] = (uint)least / (uint)zero;
    a[6] = 42 / (minus_one - 5);
    long4 v = (long4)(least) / (long4)(zero, 1, 2, minus_one);
    a[7] = v.y; a[8] = v.z; a[9] = v.w;
    char c = (char)-128;
    a[10] = c / (char)minus_one;
  })"});
  int a[11] = {INT_MIN};
  program.run("divide", {}, {bytes(&a[0]), bytes(0), bytes(-1)});
  EXPECT_EQ(a[6], -7);
  EXPECT_EQ(a[7], INT_MIN);
  EXPECT_EQ(a[8], INT_MIN / 2);
  EXPECT_EQ(a[9], INT_MIN); // the low word of 2^31
  EXPECT_EQ(a[10], 128);
}

TEST(KernelRun, StructuresAndThreeVectorsAsArguments) {
  Program program({R"(typedef struct { char c; float4 v; short s; } S;
  void change(S s) { s.s = 99; }
  kernel void k(global float* out, S s, char3 c, double d, float3 f, uchar u) {
    change(s);
    out[0] = s.c; out[1] = s.v.w; out[2] = s.s; out[3] = c.z; out[4] = d; out[5] = f.y; out[6] = u;
    s.c = 5;
    out[7] = s.c;
  })"});
  struct alignas(16) S {
    signed char c;
    alignas(16) float v[4];
    short s;
  } s = {-3, {1, 2, 3, 4}, -300};
  static_assert(sizeof(S) == 48);
  const std::array<signed char, 4> c = {1, 2, -9, 0};
  const std::array<float, 4> f = {0.5F, 1.5F, 2.5F, 0};
  float out[8] = {};
  program.run(
      "k", {{2, 1, 1}},
      {bytes(&out[0]), bytes(s), bytes(c), bytes(2.25), bytes(f), bytes<unsigned char>(200)});
  const float expected[] = {-3, 4, -300, -9, 2.25F, 1.5F, 200, 5};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(out[i], expected[i]) << i;
}

TEST(KernelRun, ProgramScopeVariables) {
  Program program({R"(
  global int counter = 40;
  global int array[4] = {1, 2, 3, 4};
  global int* global pointer = &array[2];
  constant float table[3] = {0.5f, 1.5f, 2.5f};
  constant float* constant table_pointer = &table[1];
  struct P { int a; global int* p; };
  global struct P both[2] = {{7, &counter}, {8, &array[1]}};
  int helper() { return ++counter; }
  kernel void k(global float* out) {
    out[0] = helper();
    out[1] = *pointer;
    out[2] = *table_pointer;
    out[3] = *both[1].p + both[0].a;
    *both[0].p += 10;
    out[4] = counter;
  })",
                   {"-cl-std=CL3.0"}});
  float out[5] = {};
  program.run("k", {}, {bytes(&out[0])});
  const float first[] = {41, 3, 1.5F, 9, 51};
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(out[i], first[i]) << i;
  program.run("k", {}, {bytes(&out[0])});
  EXPECT_EQ(out[0], 52); // the variables outlive a launch
}

TEST(KernelRun, KernelsCallKernels) {
  Program program({R"(
  kernel void inner(global int* a, local int* l) {
    local int mine[4];
    mine[get_local_id(0)] = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    l[get_local_id(0)] = mine[3 - get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] += l[3 - get_local_id(0)];
  }
  kernel void outer(global int* a) { local int l[4]; inner(a, l); a[get_global_id(0)] *= 2; }
  )"});
  int a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  program.run("outer", {{8, 1, 1}, {4, 1, 1}}, {bytes(&a[0])});
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(a[i], (i + 5) * 2);
  EXPECT_EQ(program.metadata("inner").local_bytes, 16U);
  EXPECT_EQ(program.metadata("outer").local_bytes, 32U);
}

TEST(KernelRun, NamesOfTheCLibrary) {
  Program program({R"(
  typedef struct { int a[64]; } Big;
  float sinf(float x) { return x + 1; }
  int memset(int x) { return x + 2; }
  kernel void memcpy(global Big* a, global float* f) {
    Big b = a[0];
    b.a[3] = memset(b.a[3]);
    a[1] = b;
    f[0] = sinf(f[0]);
  }
  kernel void heddle_kernels(global int* a) { a[0] = 2; }
  kernel void exp(global int* a) { a[0] = 3; })"});
  int big[128] = {};
  big[3] = 7;
  float f = 1;
  program.run("memcpy", {}, {bytes(&big[0]), bytes(&f)});
  EXPECT_EQ(big[67], 9);
  EXPECT_EQ(f, 2);
  int a = 0;
  program.run("heddle_kernels", {}, {bytes(&a)});
  EXPECT_EQ(a, 2);
  program.run("exp", {}, {bytes(&a)});
  EXPECT_EQ(a, 3);
}

TEST(KernelRun, RecursionStaysACall) {
  Program program({R"(
  int fibonacci(int n) { return n < 2 ? n + (int)get_global_id(1) : fibonacci(n - 1) + fibonacci(n - 2); }
  kernel void k(global int* a) { a[get_global_id(0)] = fibonacci(a[get_global_id(0)]); })"});
  int a[] = {10, 15};
  program.run("k", {{2, 1, 1}}, {bytes(&a[0])});
  EXPECT_EQ(a[0], 55);
  EXPECT_EQ(a[1], 610);
  EXPECT_EQ(program.metadata("k").stack_bytes, 0U);
}

TEST(KernelRun, VectorBuiltins) {
  Program program({R"(kernel void k(global float4* f, global int4* i, global uchar4* c) {
    i[0] = clz(i[0]);
    i[1] = max(i[1], (int4)(3));
    f[0] = clamp(f[0], 0.0f, 1.0f);
    c[0] = convert_uchar4_sat_rte(f[1]);
    f[2] = mix(f[2], f[3], 0.5f);
  })"});
  float f[16] = {-1, 0.5F, 2, 1, 2.5F, 3.5F, -7, 300, 0, 0, 0, 0, 2, 4, 6, 8};
  int i[8] = {1, 2, 4, 8, 1, 2, 4, 8};
  unsigned char c[4] = {};
  program.run("k", {}, {bytes(&f[0]), bytes(&i[0]), bytes(&c[0])});
  const int expected_i[] = {31, 30, 29, 28, 3, 3, 4, 8};
  const float expected_f[] = {0, 0.5F, 1, 1};
  const unsigned char expected_c[] = {2, 4, 0, 255};
  for (int k = 0; k < 8; ++k)
    EXPECT_EQ(i[k], expected_i[k]);
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(f[k], expected_f[k]);
    EXPECT_EQ(c[k], expected_c[k]);
    EXPECT_EQ(f[8 + k], static_cast<float>(k + 1));
  }
}

TEST(KernelRun, EveryCpuLevelAndWithoutOptimisation) {
  auto cpus = cpu_levels();
  cpus.emplace_back("native");
  for (const auto& cpu : cpus)
    for (const bool optimise : {true, false}) {
      Program program(
          {R"(kernel void k(global float* a, global half* h) {
        local float t[8];
        int i = get_local_id(0);
        t[i] = a[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[get_global_id(0)] = degrees(radians(t[7 - i])) * 0 + t[7 - i] + vload_half(i, h);
        vstore_half(t[i], i, h);
      })",
           optimise ? std::vector<std::string>{} : std::vector<std::string>{"-cl-opt-disable"},
           {},
           {},
           {},
           BuildInput::kExtensions,
           cpu});
      float a[8];
      std::uint16_t h[8];
      for (int i = 0; i < 8; ++i) {
        a[i] = static_cast<float>(i * i);
        h[i] = 0x3c00; // 1.0
      }
      program.run("k", {{8, 1, 1}, {8, 1, 1}}, {bytes(&a[0]), bytes(&h[0])});
      for (int i = 0; i < 8; ++i)
        EXPECT_EQ(a[i], static_cast<float>((7 - i) * (7 - i) + 1)) << cpu;
      EXPECT_EQ(h[2], 0x4400) << cpu; // 4.0
    }
}

// Not loops over their bytes.
TEST(KernelRun, LongCopiesAreMemcpy) {
  const auto built = build({R"(
    kernel void k(global int* to, local int* tile, uint n) {
      event_t e = async_work_group_copy(tile, to, n, 0);
      wait_group_events(1, &e);
    })"});
  ASSERT_TRUE(built.ok()) << built.log;
  const auto& unit = built.units.at("k");
  const std::string_view object(reinterpret_cast<const char*>(unit.data()), unit.size());
  EXPECT_NE(object.find(std::string_view("\0memcpy\0", 8)), object.npos) << "not imported";
}

TEST(KernelRun, AsyncCopiesAndEvents) {
  Program program({R"(kernel void k(global int4* in, global int4* out) {
    local int4 tile[8];
    event_t e = async_work_group_copy(tile, in + get_group_id(0) * 8, 8, 0);
    wait_group_events(1, &e);
    tile[get_local_id(0)] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + get_group_id(0) * 8, tile, 8, e);
    wait_group_events(1, &e);
  })"});
  std::vector<std::array<int, 4>> in(16), out(16);
  for (int i = 0; i < 16; ++i)
    in[i] = {i, i + 1, i + 2, i + 3};
  program.run("k", {{16, 1, 1}, {8, 1, 1}}, {bytes(in.data()), bytes(out.data())});
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < 4; ++k)
      ASSERT_EQ(out[i][k], i + k + 1);
}

} // namespace
} // namespace heddle::test
