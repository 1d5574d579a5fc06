// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to vectors and structures that are not aligned, outside of private memory: programs for
// GPUs step them by one element. Each access is as if it were aligned.
#include "tests/api/api_test.h"
#include "tests/api/half_bits.h"
#include "tests/api/shared_memory.h"

#include <cstring>

namespace heddle::test {
namespace {

constexpr size_t kItems = 128, kGroup = 16, kSlack = 256;
constexpr unsigned kLoads = 4;

// Small enough for sums of them in a char.
int value(size_t element) { return static_cast<int>(element % 7); }

struct Type {
  const char* name;
  size_t bytes;
  void (*put)(char*, int);
  int (*get)(const char*);
};

const Type kHalf = {"half", sizeof(cl_half),
                    [](char* at, int number) {
                      const auto bits = to_half(number);
                      std::memcpy(at, &bits, sizeof bits);
                    },
                    [](const char* at) {
                      cl_half bits;
                      std::memcpy(&bits, at, sizeof bits);
                      return static_cast<int>(half_value(bits));
                    }};

template <class T>
constexpr Type type_of(const char* name) {
  return {name, sizeof(T),
          [](char* at, int number) {
            const auto typed = static_cast<T>(number);
            std::memcpy(at, &typed, sizeof typed);
          },
          [](const char* at) {
            T typed;
            std::memcpy(&typed, at, sizeof typed);
            return static_cast<int>(typed);
          }};
}

const Type kTypes[] = {type_of<cl_char>("char"),
                       type_of<cl_short>("short"),
                       type_of<cl_uint>("uint"),
                       type_of<cl_long>("long"),
                       kHalf,
                       type_of<cl_float>("float"),
                       type_of<cl_double>("double")};
constexpr unsigned kCounts[] = {1, 2, 3, 4, 8, 16};

// Loads that overlap, by way of local memory and with constant memory.
const char* const kVectors = R"(
  #pragma OPENCL EXTENSION cl_khr_fp16 : enable
  kernel void k(global const V* in, global V* out, constant V* table, local V* tile, uint shift) {
    size_t i = get_global_id(0), l = get_local_id(0);
    global const T* from = (global const T*)((global const char*)in + shift) + i;
    local V* places = (local V*)((local char*)tile + shift);
    places[l] = *(global const V*)from;
    barrier(CLK_LOCAL_MEM_FENCE);
    V sum = places[l ^ 1] + *(constant V*)((constant char*)table + shift);
    for (uint j = 1; j <= 4; ++j)
      sum += *(global const V*)(from + j);
    ((global V*)((global char*)out + shift))[i] = sum;
  })";

class MisalignedVectors : public ApiTest {
 protected:
  void expect_sums(const Type& type, unsigned count, const char* out) {
    const auto stride = type.bytes * (count == 3 ? 4 : count);
    for (size_t i = 0; i != kItems; ++i)
      for (unsigned c = 0; c != count; ++c) {
        int expected = value((i ^ 1) + c) + value(c);
        for (unsigned j = 1; j <= kLoads; ++j)
          expected += value(i + j + c);
        ASSERT_EQ(type.get(out + i * stride + c * type.bytes), expected)
            << "work-item " << i << ", component " << c;
      }
  }
  static void fill(const Type& type, char* at, size_t elements) {
    for (size_t i = 0; i != elements; ++i)
      type.put(at + i * type.bytes, value(i));
  }
  static size_t local_bytes(size_t vector) { return kGroup * vector + 8; }
};

TEST_F(MisalignedVectors, EachTypeAndSize) {
  const auto in = make_buffer(context_, kItems * 8 + 2 * kSlack);
  const auto table = make_buffer(context_, kSlack);
  const auto out = make_buffer(context_, kItems * 128 + 8);
  const SvmArray<char> shared_in(context_, kItems * 8 + 2 * kSlack);
  const SvmArray<char> shared_out(context_, kItems * 128 + 8);
  for (const auto& type : kTypes)
    for (const auto count : kCounts) {
      const auto vector = std::string(type.name) + (count == 1 ? "" : std::to_string(count));
      SCOPED_TRACE(vector);
      const auto program =
          build(context_, kVectors, ("-DT=" + std::string(type.name) + " -DV=" + vector).c_str());
      const auto kernel = make_kernel(program, "k");
      const auto bytes = type.bytes * (count == 3 ? 4 : count);
      // One element, and less.
      for (const size_t shift : {type.bytes, size_t{1}}) {
        SCOPED_TRACE(shift);
        const auto put = [&](cl_mem buffer, size_t elements) {
          std::vector<char> data(elements * type.bytes);
          fill(type, data.data(), elements);
          check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, shift, data.size(), data.data(), 0,
                                     nullptr, nullptr),
                "write");
        };
        put(in, kItems + 32);
        put(table, 16);
        set_args(kernel, in, out, table, Local{local_bytes(bytes)}, static_cast<cl_uint>(shift));
        run(queue_, kernel, {{kItems}, {kGroup}, {}});
        expect_sums(type, count, read<char>(queue_, out, kItems * bytes, shift).data());
        // Arguments that are not aligned.
        auto* from = shared_in.data() + shift;
        auto* to = shared_out.data() + shift;
        fill(type, from, kItems + 32);
        check(clSetKernelArgSVMPointer(kernel, 0, from), "argument 0");
        check(clSetKernelArgSVMPointer(kernel, 1, to), "argument 1");
        check(clSetKernelArgSVMPointer(kernel, 2, from), "argument 2");
        check(set_arg(kernel, 4, cl_uint{0}), "argument 4");
        run(queue_, kernel, {{kItems}, {kGroup}, {}});
        expect_sums(type, count, to);
      }
    }
}

TEST_F(MisalignedVectors, MemoryOfTheHost) {
  const auto& type = kTypes[5];
  const auto program = build(context_, kVectors, "-DT=float -DV=float4");
  const auto kernel = make_kernel(program, "k");
  std::vector<char> from(kItems * 4 + kSlack), to(kItems * 16 + kSlack);
  for (const size_t shift : {1, 4, 12}) {
    SCOPED_TRACE(shift);
    fill(type, from.data() + shift, kItems + 32);
    const auto in = make_buffer(context_, kItems * 4 + 128, from.data() + shift,
                                CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);
    const auto out = make_buffer(context_, kItems * 16, to.data() + shift,
                                 CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR);
    set_args(kernel, in, out, in, Local{local_bytes(16)}, cl_uint{0});
    run(queue_, kernel, {{kItems}, {kGroup}, {}});
    expect_sums(type, 4, read<char>(queue_, out, kItems * 16).data());
  }
}

// Each kernel writes 1 for each work-item that is right.
class MisalignedPrograms : public ApiTest {
 protected:
  static constexpr size_t kBytes = 1 << 16;

  void expect_ones(const char* source, const char* options = "") {
    const auto kernel = make_kernel(build(context_, source, options), "k");
    for (const size_t shift : {0, 1, 4, 8, 12}) {
      SCOPED_TRACE(shift);
      std::vector<cl_uchar> bytes(kBytes);
      for (size_t i = 0; i != kBytes; ++i)
        bytes[i] = static_cast<cl_uchar>(i * 7 + i / 256);
      const auto memory = make_buffer(context_, kBytes, bytes.data(), CL_MEM_COPY_HOST_PTR);
      const auto right = make_buffer(context_, kItems * sizeof(cl_uint));
      set_args(kernel, memory, right, Local{8192}, static_cast<cl_uint>(shift));
      run(queue_, kernel, {{kItems}, {kGroup}, {}});
      EXPECT_EQ(read<cl_uint>(queue_, right, kItems), std::vector<cl_uint>(kItems, 1));
    }
  }
};

TEST_F(MisalignedPrograms, Structures) {
  expect_ones(R"(
    typedef struct { float4 a; long2 b; char c; short3 d; int16 e; } S;
    typedef struct { int x, y, z; } Plain;
    kernel void k(global uchar* memory, global uint* right, local uchar* tile, uint shift) {
      size_t i = get_global_id(0), l = get_local_id(0);
      global S* whole = (global S*)(memory + shift);
      local S* own = (local S*)(tile + shift + l * sizeof(S));
      S before = whole[i];
      *own = before;
      barrier(CLK_LOCAL_MEM_FENCE);
      local S* next = (local S*)(tile + shift + (l ^ 1) * sizeof(S));
      uint ok = 1;
      for (uint n = 0; n < sizeof(S); ++n)
        ok &= ((local uchar*)next)[n] == memory[shift + (i ^ 1) * sizeof(S) + n];
      int16 e = next->e;
      short y = next->d.x;
      barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      own->e += e;
      own->d.y = y;
      whole[i] = *own;
      ok &= whole[i].b.x == before.b.x && whole[i].c == before.c && whole[i].d.z == before.d.z;
      ok &= all(whole[i].e - e == before.e) && whole[i].d.y == y;
      global Plain* plain = (global Plain*)(memory + 40001 + shift + i * 5);
      Plain p = *plain;
      ok &= p.x == (int)as_uint(vload4(0, (global uchar*)plain)) &&
            p.z == (int)as_uint(vload4(2, (global uchar*)plain));
      right[i] = ok;
    })");
}

TEST_F(MisalignedPrograms, PointersOfBuiltins) {
  expect_ones(R"(
    kernel void k(global uchar* memory, global uint* right, local uchar* tile, uint shift) {
      size_t i = get_global_id(0), l = get_local_id(0);
      float4 x = (float4)(1.25f, 2.5f, -3.75f, 0.5f) * (i + 1);
      global float4* g = (global float4*)(memory + shift + i * 16);
      local float4* s = (local float4*)(tile + shift + l * 16);
      float4 p;
      uint ok = all(fract(x, g) == fract(x, &p)) && all(*g == p);
      ok &= all(modf(x, s) == modf(x, &p)) && all(*s == p);
      ok &= all(sincos(x, g) == sincos(x, &p)) && all(*g == p);
      int4 e;
      ok &= all(frexp(x, (global int4*)g) == frexp(x, &e)) && all(*(global int4*)g == e);
      ok &= all(remquo(x, 1.5f, (local int4*)s) == remquo(x, 1.5f, &e)) && all(*(local int4*)s == e);
      ok &= all(lgamma_r(x, (global int4*)g) == lgamma_r(x, &e)) && all(*(global int4*)g == e);
      double2 y = convert_double2(x.xy), q;
      ok &= all(fract(y, (global double2*)g) == fract(y, &q)) && all(*(global double2*)g == q);
      vstore_half4(x, 0, (global half*)g);
      ok &= all(vload_half4(0, (global half*)g) == convert_float4(convert_half4(x)));
      right[i] = ok;
    })",
              "-cl-std=CL3.0");
}

TEST_F(MisalignedPrograms, AsyncCopies) {
  expect_ones(R"(
    kernel void k(global uchar* memory, global uint* right, local uchar* tile, uint shift) {
      size_t i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
      global float4* from = (global float4*)(memory + shift + g * 256);
      local float4* to = (local float4*)(tile + shift);
      event_t done = async_work_group_copy(to, from, 16, 0);
      wait_group_events(1, &done);
      uint ok = all(as_uint4(to[l]) == as_uint4(from[l]));
      barrier(CLK_LOCAL_MEM_FENCE);
      done = async_work_group_strided_copy(to, from, 8, 2, 0);
      wait_group_events(1, &done);
      ok &= all(as_uint4(to[l / 2]) == as_uint4(from[l / 2 * 2]));
      barrier(CLK_LOCAL_MEM_FENCE);
      global float4* back = (global float4*)(memory + 32768 + shift + g * 256);
      done = async_work_group_copy(back, to, 8, 0);
      wait_group_events(1, &done);
      ok &= all(as_uint4(back[l / 2]) == as_uint4(from[l / 2 * 2]));
      right[i] = ok;
    })");
}

TEST_F(MisalignedPrograms, NontemporalAndVolatile) {
  expect_ones(R"(
    kernel void k(global uchar* memory, global uint* right, local uchar* tile, uint shift) {
      size_t i = get_global_id(0), l = get_local_id(0);
      global float4* from = (global float4*)(memory + shift + i * 16);
      global float4* to = (global float4*)(memory + 32768 + shift + i * 16);
      __builtin_nontemporal_store(__builtin_nontemporal_load(from), to);
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      uint ok = all(as_uint4(*to) == as_uint4(*from));
      volatile global float4* watched = (volatile global float4*)(memory + 40000 + shift + i * 16);
      *watched = *from;
      ok &= all(as_uint4(*watched) == as_uint4(*from));
      // The same address in all work-items.
      global double8* one = (global double8*)(memory + shift + 4);
      ok &= as_ulong((*one).s7) == as_ulong(vload8(0, memory + shift + 60));
      right[i] = ok;
    })");
}

TEST_F(MisalignedPrograms, References) {
  expect_ones(R"(
    struct S {
      float4 a;
      int4 b;
      int4 sum() const __global { return as_int4(a) + b; }
      int4 difference() const { return as_int4(a) - b; }
    };
    float4 first(const __global S& s) { return s.a; }
    kernel void k(global uchar* memory, global uint* right, local uchar* tile, uint shift) {
      size_t i = get_global_id(0);
      __global S& s = *(__global S*)(memory + shift + i * sizeof(S));
      const int4 a = as_int4(vload16(0, memory + shift + i * sizeof(S)));
      const int4 b = as_int4(vload16(0, memory + shift + i * sizeof(S) + 16));
      right[i] = all(s.sum() == a + b) && all(s.difference() == a - b) && all(as_int4(first(s)) == a);
    })",
              "-cl-std=CLC++2021");
}

// Programs that ask get the truth.
TEST_F(MisalignedPrograms, AddressesAsNumbers) {
  const auto kernel = make_kernel(build(context_, R"(
    kernel void k(global const float4* in, global uint* out) {
      out[0] = (uint)((ulong)in % 16) + 100;
    })"),
                                  "k");
  const SvmArray<char> block(context_, 64);
  const auto out = make_buffer(context_, 4);
  check(clSetKernelArgSVMPointer(kernel, 0, block.data() + 12), "argument 0");
  check(set_arg(kernel, 1, out), "argument 1");
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(read<cl_uint>(queue_, out, 1)[0], 112U);
}

} // namespace
} // namespace heddle::test
