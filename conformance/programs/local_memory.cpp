// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory: one instance per group; static, as an argument and both; of every type, up to the
// device's size.
#include "harness.h"

using namespace conformance;

namespace {

class LocalMemory : public DeviceTest {};

TEST_F(LocalMemory, EachGroupHasItsOwn) {
  SPEC("C, local address space: variables are shared by the work-items of a group, and by no "
       "others");
  Kernel kernel = make_kernel(R"(
    kernel void k(global int* out, local int* argument) {
      local int fixed[64];
      int i = get_local_id(0);
      fixed[i] = get_group_id(0) * 100 + i;
      argument[i] = -fixed[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = fixed[63 - i] - argument[i];
    })",
                              "k");
  const int groups = 200;
  Memory out = make_buffer(groups * 64 * sizeof(cl_int));
  set_arguments(kernel, out, Local{64 * sizeof(cl_int)});
  run(kernel, {size_t(groups) * 64}, {64});
  const auto seen = read<cl_int>(out, groups * 64);
  for (int at = 0; at < groups * 64; ++at)
    ASSERT_EQ(seen[at], at / 64 * 200 + 63);
}

TEST_F(LocalMemory, ArgumentsDoNotOverlap) {
  SPEC("API, Setting Kernel Arguments: local arguments of any size; C, Alignment of Types");
  Kernel kernel = make_kernel(R"(
    kernel void k(global ulong* out, local char* a, local double16* b, local short* c) {
      local char d[3]; local long8 e;
      for (int i = 0; i < 3; ++i) { a[i] = 1; d[i] = 4; }
      b[0] = (double16)(2.0); e = (long8)(5);
      for (int i = 0; i < 5; ++i) c[i] = 3;
      out[0] = a[0] + a[1] + a[2]; out[1] = (ulong)(b[0].s0 + b[0].sf); out[2] = c[0] + c[4];
      out[3] = d[0] + d[2]; out[4] = e.s0 + e.s7;
      out[5] = (ulong)b % 128 + (ulong)c % 2 + (ulong)&e % 64;
    })",
                              "k");
  Memory out = make_buffer(6 * sizeof(cl_ulong));
  set_arguments(kernel, out, Local{3}, Local{128}, Local{10});
  run(kernel, {1}, {1});
  EXPECT_EQ(read<cl_ulong>(out, 6), (std::vector<cl_ulong>{3, 4, 6, 8, 10, 0}));
}

TEST_F(LocalMemory, SizesMayChangeBetweenCommands) {
  SPEC("API, Setting Kernel Arguments: arguments are captured when the command is enqueued");
  Kernel kernel = make_kernel(R"(
    kernel void k(global int* out, local int* a, int n) {
      for (int i = 0; i < n; ++i) a[i] = i;
      int sum = 0;
      for (int i = 0; i < n; ++i) sum += a[i];
      out[0] = sum;
    })",
                              "k");
  Memory small = make_buffer(4), large = make_buffer(4);
  const size_t one = 1;
  set_arguments(kernel, small, Local{40}, cl_int(10));
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  set_arguments(kernel, large, Local{16000}, cl_int(4000));
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(small, 1)[0], 45);
  EXPECT_EQ(read<cl_int>(large, 1)[0], 4000 * 3999 / 2);
}

TEST_F(LocalMemory, UpToTheDevicesSizeAndNoFurther) {
  SPEC("API, Querying Devices: CL_DEVICE_LOCAL_MEM_SIZE; Executing Kernels: CL_OUT_OF_RESOURCES");
  const size_t limit = info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_LOCAL_MEM_SIZE);
  Kernel kernel = make_kernel(R"(
    kernel void k(global int* out, local uchar* a, ulong n) {
      for (ulong i = get_local_id(0); i < n; i += get_local_size(0)) a[i] = (uchar)(i * 7);
      barrier(CLK_LOCAL_MEM_FENCE);
      int wrong = 0;
      for (ulong i = get_local_id(0); i < n; i += get_local_size(0)) wrong += a[n - 1 - i] != (uchar)((n - 1 - i) * 7);
      out[get_global_id(0)] = wrong;
    })",
                              "k");
  Memory out = make_buffer(std::vector<cl_int>(64, -1));
  set_arguments(kernel, out, Local{limit}, cl_ulong(limit));
  run(kernel, {64}, {16});
  EXPECT_EQ(read<cl_int>(out, 64), std::vector<cl_int>(64, 0));
  const cl_int refused = clSetKernelArg(kernel, 1, limit + 1, nullptr);
  if (refused == CL_SUCCESS) {
    const size_t one = 1;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              CL_OUT_OF_RESOURCES);
  } else { // CL_MAX_SIZE_RESTRICTION_EXCEEDED for an argument attribute, CL_OUT_OF_RESOURCES, or
           // CL_INVALID_ARG_SIZE
    EXPECT_TRUE(refused == CL_OUT_OF_RESOURCES || refused == CL_INVALID_ARG_SIZE || refused == -72)
        << refused;
  }
}

TEST_F(LocalMemory, StructuresAndPointersIntoIt) {
  SPEC("C, local address space: pointers to local memory in functions");
  Kernel kernel = make_kernel(R"(
    typedef struct { int key; float weight[3]; } Entry;
    void swap_entries(local Entry* a, local Entry* b) { Entry t = *a; *a = *b; *b = t; }
    kernel void k(global int* out) {
      local Entry entries[16];
      int i = get_local_id(0);
      entries[i].key = i; entries[i].weight[2] = i * 0.5f;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i < 8) swap_entries(&entries[i], &entries[15 - i]);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = entries[i].key * 100 + (int)(entries[i].weight[2] * 2);
    })",
                              "k");
  Memory out = make_buffer(16 * sizeof(cl_int));
  set_arguments(kernel, out);
  run(kernel, {16}, {16});
  const auto seen = read<cl_int>(out, 16);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(seen[i], (15 - i) * 101);
}

} // namespace
