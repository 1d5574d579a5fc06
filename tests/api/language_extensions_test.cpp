// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extensions of OpenCL C whose functions work on single work-items or groups: bit operations,
// integer dot products, expectations, work-group arithmetic, clocks, atomics on floats.
#include "tests/api/api_test.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace heddle::test {
namespace {

constexpr size_t kItems = 128;
const Range kRange = {{kItems}, {kItems}, {}};

std::vector<cl_uint> words(cl_uint seed) {
  std::vector<cl_uint> made(kItems);
  for (auto& word : made)
    word = seed = seed * 1664525 + 1013904223;
  return made;
}

template <class T>
std::vector<T> expect_of(const std::function<T(size_t)>& function) {
  std::vector<T> made(kItems);
  for (size_t i = 0; i < kItems; ++i)
    made[i] = function(i);
  return made;
}

TEST(ExtendedBitOps, OfFields) {
  const auto a = words(1), b = words(2);
  const auto inserted = compute<cl_uint>(
      "kernel void k(global uint* out, global const uint* a, global const uint* b) {"
      "  size_t i = get_global_id(0); out[i] = bitfield_insert(a[i], b[i], i % 17, i % 13); }",
      "", kRange, kItems, a, b);
  EXPECT_EQ(inserted, expect_of<cl_uint>([&](size_t i) {
              const auto mask = ((1u << i % 13) - 1) << i % 17;
              return (a[i] & ~mask) | (b[i] << i % 17 & mask);
            }));
  const auto extracted = compute<cl_int>(
      "kernel void k(global int* out, global const uint* a) { size_t i = get_global_id(0);"
      "  int2 both = bitfield_extract_signed((uint2)(a[i], a[i]), i % 17, i % 13 + 1);"
      "  out[i] = both.y + (int)bitfield_extract_unsigned(a[i], i % 17, i % 13 + 1); }",
      "", kRange, kItems, a);
  EXPECT_EQ(extracted, expect_of<cl_int>([&](size_t i) {
              const auto count = i % 13 + 1;
              const auto field = static_cast<cl_int>(a[i] >> i % 17 & ((1u << count) - 1));
              return field + (field << (32 - count) >> (32 - count));
            }));
  const auto reversed = compute<cl_uint>(
      "kernel void k(global uint* out, global const uint* a) { size_t i = get_global_id(0);"
      "  out[i] = bit_reverse(bit_reverse(a[i]) >> 4); }",
      "", kRange, kItems, a);
  EXPECT_EQ(reversed, expect_of<cl_uint>([&](size_t i) { return a[i] << 4; }));
}

// Every kind of operands, packed and not, at the edges of saturation.
TEST(IntegerDotProduct, OfAllKinds) {
  auto a = words(3), b = words(4);
  a[0] = b[0] = 0xFFFFFFFF;
  a[1] = b[1] = 0x80808080;
  a[2] = 0x80808080;
  b[2] = 0x7F7F7F7F;
  for (const std::string kinds : {"uu", "ss", "us", "su"}) {
    const std::string type = kinds == "uu" ? "uint" : "int";
    const auto vector = [&](size_t k) { return kinds[k] == 'u' ? "as_uchar4" : "as_char4"; };
    const std::string source =
        "#if !defined(cl_khr_integer_dot_product) || "
        "!defined(__opencl_c_integer_dot_product_input_4x8bit) || "
        "!defined(__opencl_c_integer_dot_product_input_4x8bit_packed)\n#error macros\n#endif\n"
        "kernel void k(global uint4* out, global const uint* a, global const uint* b) {"
        "  size_t i = get_global_id(0); " +
        type + " top = " + (kinds == "uu" ? "0xFFFFFF00" : "0x7FFFFF00") +
        ";"
        "  out[i].x = dot(" +
        vector(0) + "(a[i]), " + vector(1) + "(b[i]));" + "  out[i].y = dot_acc_sat(" + vector(0) +
        "(a[i]), " + vector(1) + "(b[i]), top);" + "  out[i].z = dot_4x8packed_" + kinds + "_" +
        type + "(a[i], b[i]);" + "  out[i].w = dot_acc_sat_4x8packed_" + kinds + "_" + type +
        "(a[i], b[i], " + (kinds == "uu" ? "3u" : "-0x7FFFFFF0") + "); }";
    const auto out = compute<cl_uint4>(source, "-cl-std=CL3.0", kRange, kItems, a, b);
    const auto limit = [&](cl_long value) {
      return static_cast<cl_uint>(
          kinds == "uu" ? std::min(value, cl_long{0xFFFFFFFF})
                        : std::clamp(value, -cl_long{0x80000000}, cl_long{0x7FFFFFFF}));
    };
    for (size_t i = 0; i < kItems; ++i) {
      cl_long sum = 0;
      for (int k = 0; k < 4; ++k) {
        const auto byte = [&](char kind, cl_uint word) {
          const auto bits = word >> 8 * k & 255;
          return kind == 'u' ? cl_long{bits} : cl_long{static_cast<cl_char>(bits)};
        };
        sum += byte(kinds[0], a[i]) * byte(kinds[1], b[i]);
      }
      EXPECT_EQ(out[i].s[0], static_cast<cl_uint>(sum)) << kinds << ' ' << i;
      EXPECT_EQ(out[i].s[2], static_cast<cl_uint>(sum)) << kinds << ' ' << i;
      EXPECT_EQ(out[i].s[1], limit((kinds == "uu" ? 0xFFFFFF00 : 0x7FFFFF00) + sum)) << kinds << i;
      EXPECT_EQ(out[i].s[3], limit((kinds == "uu" ? 3 : -0x7FFFFFF0) + sum)) << kinds << ' ' << i;
    }
  }
}

TEST(IntegerDotProduct, Queries) {
  EXPECT_EQ(info<cl_bitfield>(device(), 0x1073), 3u); // packed and not
  for (const cl_device_info query : {0x1074, 0x1075}) {
    cl_bool accelerated[6] = {2, 2, 2, 2, 2, 2};
    check(clGetDeviceInfo(device(), query, sizeof accelerated, accelerated, nullptr), "query");
    for (const auto one : accelerated)
      EXPECT_LE(one, 1u);
  }
}

TEST(ExpectAssume, IsClangs) {
  const auto a = words(5);
  EXPECT_EQ(compute<cl_uint>("#ifndef cl_khr_expect_assume\n#error macro\n#endif\n"
                             "#pragma OPENCL EXTENSION cl_khr_expect_assume : enable\n"
                             "kernel void k(global uint* out, global const uint* a) {"
                             "  size_t i = get_global_id(0); __builtin_assume(i < 4096);"
                             "  out[i] = __builtin_expect(a[i] & 1, 0) ? a[i] : i; }",
                             "-Werror", kRange, kItems, a),
            expect_of<cl_uint>(
                [&](size_t i) { return (a[i] & 1) != 0 ? a[i] : static_cast<cl_uint>(i); }));
}

struct Operation {
  const char* name;
  std::function<cl_int(cl_int, cl_int)> combine;
  cl_int identity;
};

TEST(WorkGroupUniformArithmetic, OfIntegers) {
  std::vector<cl_int> a(kItems);
  for (size_t i = 0; i < kItems; ++i)
    a[i] = static_cast<cl_int>(i * 7 % 5) - 1;
  const auto as_multiply = [](cl_int x, cl_int y) {
    return static_cast<cl_int>(static_cast<cl_uint>(x) * static_cast<cl_uint>(y));
  };
  const Operation all[] = {
      {"mul", as_multiply, 1},
      {"and", std::bit_and<cl_int>(), -1},
      {"or", std::bit_or<cl_int>(), 0},
      {"xor", std::bit_xor<cl_int>(), 0},
      {"logical_and", [](cl_int x, cl_int y) { return cl_int{x != 0 && y != 0}; }, 1},
      {"logical_or", [](cl_int x, cl_int y) { return cl_int{x != 0 || y != 0}; }, 0},
      {"logical_xor", [](cl_int x, cl_int y) { return cl_int{(x != 0) != (y != 0)}; }, 0}};
  for (const auto& operation : all) {
    const std::string name = operation.name;
    const auto out = compute<cl_int4>(
        "#ifndef cl_khr_work_group_uniform_arithmetic\n#error macro\n#endif\n"
        "kernel void k(global int4* out, global const int* a) { size_t i = get_global_id(0);"
        "  out[i].x = work_group_reduce_" +
            name +
            "(a[i]);"
            "  out[i].y = work_group_scan_inclusive_" +
            name +
            "(a[i]);"
            "  out[i].z = work_group_scan_exclusive_" +
            name + "(a[i]); }",
        "-cl-std=CL3.0", {{kItems}, {kItems / 2}, {}}, kItems, a);
    for (size_t i = 0; i < kItems; ++i) {
      const auto first = i / (kItems / 2) * (kItems / 2);
      const auto fold = [&](size_t end) {
        return std::accumulate(a.data() + first, a.data() + end, operation.identity,
                               operation.combine);
      };
      EXPECT_EQ(out[i].s[0], fold(first + kItems / 2)) << name << ' ' << i;
      EXPECT_EQ(out[i].s[1], fold(i + 1)) << name << ' ' << i;
      EXPECT_EQ(out[i].s[2], fold(i)) << name << ' ' << i;
    }
  }
}

TEST(KernelClock, AdvancesInEachScope) {
  EXPECT_EQ(info<cl_bitfield>(device(), 0x1076), 7u);
  for (const std::string scope : {"device", "work_group", "sub_group"}) {
    const auto out = compute<cl_ulong4>(
        "#if !defined(cl_khr_kernel_clock) || !defined(__opencl_c_kernel_clock_scope_" + scope +
            ")\n#error macros\n#endif\n"
            "kernel void k(global ulong4* out) { size_t i = get_global_id(0);"
            "  out[i].x = clock_read_" +
            scope +
            "();"
            "  for (int n = 0; n < 100; ++n) out[i].w += n * out[i].x;"
            "  uint2 second = clock_read_hilo_" +
            scope +
            "();"
            "  out[i].y = (ulong)second.y << 32 | second.x; }",
        "-cl-std=CL3.0", kRange, kItems);
    for (const auto& one : out) {
      EXPECT_NE(one.s[0], 0u);
      EXPECT_GT(one.s[1], one.s[0]);
      EXPECT_LT(one.s[1] - out[0].s[0], cl_ulong{1} << 40); // in a kernel, not since the start
    }
  }
}

// All work-items on one place of global, and of local, memory.
template <class T>
void float_atomics(const std::string& type, const std::string& feature) {
  std::vector<T> a(kItems);
  for (size_t i = 0; i < kItems; ++i)
    a[i] = static_cast<T>(static_cast<int>(i * 37 % 101) - 50);
  for (const std::string operation : {"add", "sub", "min", "max"})
    for (const std::string space : {"global", "local"}) {
      const auto macro =
          "__opencl_c_ext_" + feature + "_" + space +
          (operation == "add" || operation == "sub" ? "_atomic_add" : "_atomic_min_max");
      const auto out = compute<T>(
          "#ifndef " + macro + "\n#error " + macro + "\n#endif\n" +
              "kernel void k(volatile global " + type + "* out, global const " + type + "* a) {" +
              "  volatile " + space + " atomic_" + type + "* place;" +
              (space == "global" ? "  place = (volatile global atomic_" + type + "*)out;"
                                 : "  local " + type +
                                       " own; if (get_local_id(0) == 0) own = 0;"
                                       "  barrier(CLK_LOCAL_MEM_FENCE);"
                                       "  place = (volatile local atomic_" +
                                       type + "*)&own;") +
              "  atomic_fetch_" + operation + "(place, a[get_global_id(0)]);" + "  atomic_fetch_" +
              operation +
              "_explicit(place, a[get_global_id(0)],"
              "    memory_order_relaxed, memory_scope_work_group);" +
              (space == "global" ? "" : "  barrier(CLK_LOCAL_MEM_FENCE); out[0] = own;") + "}",
          "-cl-std=CL3.0", kRange, 1, a);
      const T sum = std::accumulate(a.begin(), a.end(), T(0));
      EXPECT_EQ(out[0], operation == "add"   ? 2 * sum
                        : operation == "sub" ? -2 * sum
                        : operation == "min" ? *std::min_element(a.begin(), a.end())
                                             : *std::max_element(a.begin(), a.end()))
          << type << ' ' << operation << ' ' << space;
    }
}
TEST(FloatAtomics, OfFloat) {
  EXPECT_EQ(info<cl_bitfield>(device(), 0x4231), 0x70007u);
  float_atomics<float>("float", "fp32");
}
TEST(FloatAtomics, OfDouble) {
  EXPECT_EQ(info<cl_bitfield>(device(), 0x4232), 0x70007u);
  float_atomics<double>("double", "fp64");
}
// The sums are integers below 2048, which half represents exactly in any order.
TEST(FloatAtomics, OfHalf) {
  EXPECT_EQ(info<cl_bitfield>(device(), 0x4233), 0x70007u);
  std::vector<float> a(kItems);
  for (size_t i = 0; i < kItems; ++i)
    a[i] = static_cast<float>(static_cast<int>(i * 37 % 101) % 11 - 4);
  const auto sum = std::accumulate(a.begin(), a.end(), 0.0F);
  const auto smallest = *std::min_element(a.begin(), a.end());
  const auto largest = *std::max_element(a.begin(), a.end());
  const struct {
    std::string operation, feature;
    float expected;
  } cases[] = {
      {"fetch_add(place, v)", "add", sum},          {"fetch_sub(place, v)", "add", -sum},
      {"fetch_min(place, v)", "min_max", smallest}, {"fetch_max(place, v)", "min_max", largest},
      {"store(place, (half)7)", "load_store", 7},   {"exchange(place, (half)7)", "load_store", 7}};
  for (const auto& each : cases)
    for (const std::string space : {"global", "local"}) {
      const auto macro = "__opencl_c_ext_fp16_" + space + "_atomic_" + each.feature;
      const auto out = compute<float>(
          "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#ifndef " + macro + "\n#error " + macro +
              "\n#endif\nglobal half at_program_scope = 0;\n"
              "kernel void k(global float* out, global const float* a) {"
              "  local half own; if (get_local_id(0) == 0) own = 0;"
              "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
              "  volatile " +
              space + " atomic_half* place = (volatile " + space + " atomic_half*)&" +
              (space == "global" ? "at_program_scope" : "own") +
              ";  const half v = a[get_global_id(0)]; atomic_" + each.operation +
              ";  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
              "  out[get_global_id(0)] = atomic_load(place); }",
          "-cl-std=CL3.0", kRange, kItems, a);
      EXPECT_EQ(out, std::vector<float>(kItems, each.expected)) << each.operation << ' ' << space;
    }
}

} // namespace
} // namespace heddle::test
