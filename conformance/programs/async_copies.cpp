// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies between global and local memory, and their events: every type, both directions,
// strides, fences between copies, prefetch. Every byte is compared, including those that must not
// change.
#include "copy_harness.h"

#include <algorithm>

using namespace conformance;

namespace {

struct Type {
  const char* name;
  size_t bytes;
  const char* extension = nullptr;
};
constexpr Type kTypes[] = {
    {"char", 1},
    {"uchar", 1},
    {"short", 2},
    {"ushort", 2},
    {"int", 4},
    {"uint", 4},
    {"long", 8},
    {"ulong", 8},
    {"float", 4},
    {"double", 8, "cl_khr_fp64"},
    {"half", 2, "cl_khr_fp16"},
};
// All widths of the first type of each size, and some of the others: copies do not interpret bits.
std::vector<int> widths_of(const Type& type) {
  for (const char* first : {"char", "short", "int", "long"})
    if (std::string(first) == type.name)
      return {1, 2, 3, 4, 8, 16};
  return {1, 3, 16};
}

TEST_F(AsyncCopies, EveryTypeBothWays) {
  SPEC("C, Async Copies: async_work_group_copy, async_work_group_strided_copy; 3-component vectors "
       "are copied as 4-component ones are (footnote)");
  const size_t groups[][2] = {{1, 1}, {7, 1}, {64, 1}, {5, 3}};
  for (const auto& type : kTypes) {
    if (type.extension && !has_extension(type.extension))
      continue;
    std::string source = kCommon;
    if (type.extension)
      source += "#pragma OPENCL EXTENSION " + std::string(type.extension) + " : enable\n";
    for (const int width : widths_of(type)) {
      const auto t = type.name + (width == 1 ? "" : std::to_string(width));
      source += "kernel void in_" + t + "(const global " + t + "* from, global uchar* out, local " +
                t + R"(* l, uint n, uint stride, uint bytes) {
          fill((local uchar*)l, bytes);
          event_t e;
          if (stride == 0) e = async_work_group_copy(l + 1, from + 1, n, 0);
          else e = async_work_group_strided_copy(l + 1, from + 1, n, stride, 0);
          wait_group_events(1, &e);
          save(out, (local uchar*)l, bytes);
        }
        kernel void out_)" +
                t + "(const global uchar* from, global " + t + "* out, local " + t +
                R"(* l, uint n, uint stride, uint bytes) {
          load((local uchar*)l, from, bytes);
          event_t e;
          if (stride == 0) e = async_work_group_copy(out + 1, l + 1, n, 0);
          else e = async_work_group_strided_copy(out + 1, l + 1, n, stride, 0);
          wait_group_events(1, &e);
        })";
    }
    Program program = build(source);
    if (HasFailure())
      return;
    for (const int width : widths_of(type)) {
      const auto t = type.name + (width == 1 ? "" : std::to_string(width));
      const size_t size = type.bytes * (width == 3 ? 4 : width);
      Kernel in = make_kernel(program, ("in_" + t).c_str());
      Kernel out = make_kernel(program, ("out_" + t).c_str());
      unsigned turn = 0;
      for (const cl_uint stride : {0, 1, 2, 3, 4, 5, 6, 7, 8, 17, 33})
        for (const cl_uint n : {0, 1, 2, 9, 50, 67, 150}) {
          const auto& group = groups[turn++ % 4];
          const auto what =
              t + ", " + std::to_string(n) + " elements, stride " + std::to_string(stride);
          const size_t step = stride == 0 ? 1 : stride, few = (n + 2) * size,
                       many = ((n == 0 ? 0 : (n - 1) * step + 1) + 2) * size;
          if (few > kLocalBytes)
            continue;
          const Bytes from = random_bytes(many, turn);
          Memory source_buffer = make_buffer(from);
          {
            Memory out_buffer = make_buffer(few);
            set_arguments(in, source_buffer, out_buffer, Local{few}, n, stride, cl_uint(few));
            run(in, {group[0], group[1]}, {group[0], group[1]});
            Bytes expected(few, kUntouched);
            for (size_t i = 0; i < n; ++i)
              std::copy_n(&from[(1 + i * step) * size], size, &expected[(1 + i) * size]);
            expect_same(read<cl_uchar>(out_buffer, few), expected, what + ", to local memory");
          }
          {
            Bytes expected(many, kUntouched);
            Memory out_buffer = make_buffer(expected);
            Memory short_source = make_buffer(Bytes(from.data(), from.data() + few));
            set_arguments(out, short_source, out_buffer, Local{few}, n, stride, cl_uint(few));
            run(out, {group[0], group[1]}, {group[0], group[1]});
            for (size_t i = 0; i < n; ++i)
              std::copy_n(&from[(1 + i) * size], size, &expected[(1 + i * step) * size]);
            expect_same(read<cl_uchar>(out_buffer, many), expected, what + ", to global memory");
          }
          if (HasFailure())
            return;
        }
    }
  }
}

TEST_F(AsyncCopies, SizesKnownToTheCompiler) {
  SPEC("C, Async Copies: async_work_group_copy");
  const std::vector<size_t> counts = {1,    64,   255,  256,  257,  1023, 1024,  1025,  1088,
                                      1280, 1281, 2047, 4096, 4100, 8224, 16383, 16384, 16385};
  std::string source = kCommon;
  for (const auto n : counts) {
    const auto text = std::to_string(n);
    source += "kernel void in_" + text +
              "(const global uchar* from, global uchar* out, local uchar* l, uint at, uint bytes) {"
              "fill(l, bytes);"
              "event_t e = async_work_group_copy(l + at, from + 1, " +
              text +
              ", 0);"
              "wait_group_events(1, &e); save(out, l, bytes); }"
              "kernel void out_" +
              text +
              "(const global uchar* from, global uchar* out, local uchar* l, uint at, uint bytes) {"
              "load(l, from, bytes);"
              "event_t e = async_work_group_copy(out + at, l + 1, " +
              text +
              ", 0);"
              "wait_group_events(1, &e); }";
  }
  Program program = build(source);
  for (const auto n : counts)
    for (const size_t at : {0, 1, 31, 64}) {
      const size_t bytes = n + 100;
      const auto what = std::to_string(n) + " bytes, to " + std::to_string(at);
      const Bytes from = random_bytes(bytes, unsigned(n));
      Bytes expected(bytes, kUntouched);
      std::copy_n(&from[1], n, &expected[at]);
      Memory source_buffer = make_buffer(from);
      for (const auto* const way : {"in_", "out_"}) {
        Memory out_buffer = make_buffer(Bytes(bytes, kUntouched));
        Kernel kernel = make_kernel(program, (way + std::to_string(n)).c_str());
        set_arguments(kernel, source_buffer, out_buffer, Local{bytes}, cl_uint(at), cl_uint(bytes));
        run(kernel, {40}, {40});
        expect_same(read<cl_uchar>(out_buffer, bytes), expected, way + what);
      }
      if (HasFailure())
        return;
    }
}

TEST_F(AsyncCopies, StridesKnownToTheCompiler) {
  SPEC("C, Async Copies: async_work_group_strided_copy");
  constexpr std::pair<const char*, size_t> kOfEverySize[] = {
      {"char", 1}, {"short", 2}, {"int", 4}, {"long", 8}, {"long2", 16}};
  size_t turn = 0; // each stride and each type meet every count
  for (const auto& [type, size] : kOfEverySize) {
    ++turn;
    for (const size_t stride : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 17, 20, 32, 33}) {
      const std::vector<size_t> counts =
          turn++ % 2 == 0 ? std::vector<size_t>{9, 150} : std::vector<size_t>{1, 67};
      std::string source = kCommon;
      for (const auto n : counts) {
        const auto text = std::to_string(n), copy = ", " + text + ", " + std::to_string(stride);
        source += "kernel void in_" + text + "(const global " + type +
                  "* from, global uchar* out, local " + type +
                  "* l, uint bytes) { fill((local uchar*)l, bytes);"
                  "event_t e = async_work_group_strided_copy(l + 1, from + 1" +
                  copy +
                  ", 0);"
                  "wait_group_events(1, &e); save(out, (local uchar*)l, bytes); }"
                  "kernel void out_" +
                  text + "(const global uchar* from, global " + type + "* out, local " + type +
                  "* l, uint bytes) { load((local uchar*)l, from, bytes);"
                  "event_t e = async_work_group_strided_copy(out + 1, l + 1" +
                  copy +
                  ", 0);"
                  "wait_group_events(1, &e); }";
      }
      Program program = build(source);
      for (const auto n : counts) {
        const auto what = std::string(type) + ", " + std::to_string(n) + " elements, stride " +
                          std::to_string(stride);
        const size_t few = (n + 2) * size, many = ((n - 1) * stride + 3) * size;
        const Bytes from = random_bytes(many, unsigned(n));
        Memory wide = make_buffer(from), narrow = make_buffer(few);
        Kernel in = make_kernel(program, ("in_" + std::to_string(n)).c_str());
        set_arguments(in, wide, narrow, Local{few}, cl_uint(few));
        run(in, {40}, {40});
        Bytes expected(few, kUntouched);
        for (size_t i = 0; i < n; ++i)
          std::copy_n(&from[(1 + i * stride) * size], size, &expected[(1 + i) * size]);
        expect_same(read<cl_uchar>(narrow, few), expected, what + ", to local memory");
        expected.assign(many, kUntouched);
        wide = make_buffer(expected);
        narrow = make_buffer(Bytes(from.data(), from.data() + few));
        Kernel out = make_kernel(program, ("out_" + std::to_string(n)).c_str());
        set_arguments(out, narrow, wide, Local{few}, cl_uint(few));
        run(out, {40}, {40});
        for (size_t i = 0; i < n; ++i)
          std::copy_n(&from[(1 + i) * size], size, &expected[(1 + i * stride) * size]);
        expect_same(read<cl_uchar>(wide, many), expected, what + ", to global memory");
        if (HasFailure())
          return;
      }
    }
  }
}

TEST_F(AsyncCopies, ManyElements) {
  SPEC("C, Async Copies; API, CL_DEVICE_LOCAL_MEM_SIZE");
  const auto bytes = std::min<cl_ulong>(
      info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE) / 2, 1 << 20);
  Kernel kernel = make_kernel(R"(
    kernel void k(const global int* from, global int* to, local int* l, uint n) {
      size_t at = get_group_id(0) * n;
      event_t e = async_work_group_copy(l, from + at, n, 0);
      wait_group_events(1, &e);
      e = async_work_group_copy(to + at, l, n, 0);
      wait_group_events(1, &e);
    })",
                              "k");
  const size_t groups = 20, n = bytes / 4 - 3;
  const Bytes from = random_bytes(groups * n * 4, 1);
  Memory source = make_buffer(from), out = make_buffer(from.size());
  set_arguments(kernel, source, out, Local{n * 4}, cl_uint(n));
  run(kernel, {groups * 32}, {32});
  expect_same(read<cl_uchar>(out, from.size()), from, "large copies");
}

TEST_F(AsyncCopies, SharedAndSeveralEvents) {
  SPEC("C, Async Copies: an event may be shared by several copies, it is then the one returned; "
       "wait_group_events waits for a list");
  Kernel kernel = make_kernel(std::string(kCommon) + R"(
    kernel void k(const global int* from, global int* out, local int* l) {
      fill((local uchar*)l, 4 * 160);
      event_t shared_one = async_work_group_copy(l, from, 10, 0);
      shared_one = async_work_group_copy(l + 10, from + 10, 20, shared_one);
      shared_one = async_work_group_strided_copy(l + 30, from + 30, 10, 3, shared_one);
      event_t list[4];
      for (int i = 0; i < 4; ++i)
        list[i] = async_work_group_copy(l + 40 + 30 * i, from + 100 + 40 * i, 30, 0);
      wait_group_events(1, &shared_one);
      wait_group_events(4, list);
      for (size_t i = item(); i < 160; i += items()) out[i] = l[i];
    })",
                              "k");
  std::vector<cl_int> from(300), expected;
  for (int i = 0; i < 300; ++i)
    from[i] = i * 7 + 1;
  expected.assign(from.begin(), from.begin() + 30);
  for (int i = 0; i < 10; ++i)
    expected.push_back(from[30 + 3 * i]);
  for (int i = 0; i < 4; ++i)
    expected.insert(expected.end(), from.begin() + 100 + 40 * i, from.begin() + 130 + 40 * i);
  Memory source = make_buffer(from), out = make_buffer(160 * 4);
  for (const size_t size : {1, 3, 32, 100}) {
    set_arguments(kernel, source, out, Local{640});
    run(kernel, {size}, {size});
    EXPECT_EQ(read<cl_int>(out, 160), expected) << "groups of " << size;
  }
}

TEST_F(AsyncCopies, Prefetch) {
  SPEC("C, Async Copies: prefetch does not affect what the kernel does");
  Kernel kernel = make_kernel(R"(
    kernel void k(const global float4* from, global float4* to, uint n) {
      prefetch(from + get_global_id(0), 1);
      prefetch((const global char*)from, n * sizeof(float4));
      prefetch((const global short3*)from, 0);
      to[get_global_id(0)] = from[get_global_id(0)];
    })",
                              "k");
  const Bytes from = random_bytes(100 * 16, 3);
  Memory source = make_buffer(from), out = make_buffer(from.size());
  set_arguments(kernel, source, out, cl_uint(100));
  run(kernel, {100});
  expect_same(read<cl_uchar>(out, from.size()), from, "behind a prefetch");
}

TEST_F(AsyncCopies, Fence) {
  SPEC("C, Async Copies: async_work_group_copy_fence, copies before it happen before copies after");
  if (!has_extension("cl_khr_async_work_group_copy_fence"))
    GTEST_SKIP() << "no cl_khr_async_work_group_copy_fence";
  Kernel kernel = make_kernel(R"(
    #ifndef cl_khr_async_work_group_copy_fence
    #error "the macro is missing"
    #endif
    #pragma OPENCL EXTENSION cl_khr_async_work_group_copy_fence : enable
    // Repeated shifts by one through local memory, without waits in between.
    kernel void k(global int* data, local int* l, int n, int times) {
      event_t e = 0;
      for (int t = 0; t < times; ++t) {
        e = async_work_group_copy(l, data, n, e);
        async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
        e = async_work_group_copy(data + 1, l, n, e);
        async_work_group_copy_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      }
      wait_group_events(1, &e);
    })",
                              "k");
  const int n = 500, times = 13;
  std::vector<cl_int> data(n + 1), expected;
  for (int i = 0; i <= n; ++i)
    data[i] = i;
  for (int i = 0; i <= n; ++i)
    expected.push_back(std::max(0, i - times));
  for (const size_t size : {1, 24, 64}) {
    Memory buffer = make_buffer(data);
    set_arguments(kernel, buffer, Local{n * 4}, cl_int(n), cl_int(times));
    run(kernel, {size}, {size});
    EXPECT_EQ(read<cl_int>(buffer, n + 1), expected) << "groups of " << size;
  }
}

} // namespace
