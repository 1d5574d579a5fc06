// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels: arguments and their errors, queries, argument information, clones.
#include "harness.h"

#include <cstring>

using namespace conformance;

namespace {

class Kernels : public DeviceTest {
 protected:
  template <class T>
  T group_info(cl_kernel kernel, cl_kernel_work_group_info name) {
    T value{};
    EXPECT_CL(clGetKernelWorkGroupInfo(kernel, device, name, sizeof value, &value, nullptr));
    return value;
  }
  template <class T>
  T argument_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    T value{};
    EXPECT_CL(clGetKernelArgInfo(kernel, index, name, sizeof value, &value, nullptr));
    return value;
  }
  std::string argument_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    char text[256] = "";
    EXPECT_CL(clGetKernelArgInfo(kernel, index, name, sizeof text, text, nullptr));
    return text;
  }
};

TEST_F(Kernels, Queries) {
  SPEC("API, Kernel Object Queries: clGetKernelInfo");
  Program program = build("kernel void some_name(global int* a, float b, local char* c) {}");
  Kernel kernel = make_kernel(program, "some_name");
  EXPECT_EQ(info_string(clGetKernelInfo, kernel.get(), CL_KERNEL_FUNCTION_NAME), "some_name");
  EXPECT_EQ(info<cl_uint>(clGetKernelInfo, kernel.get(), CL_KERNEL_NUM_ARGS), 3u);
  EXPECT_EQ(info<cl_uint>(clGetKernelInfo, kernel.get(), CL_KERNEL_REFERENCE_COUNT), 1u);
  EXPECT_EQ(info<cl_context>(clGetKernelInfo, kernel.get(), CL_KERNEL_CONTEXT), context.get());
  EXPECT_EQ(info<cl_program>(clGetKernelInfo, kernel.get(), CL_KERNEL_PROGRAM), program.get());
  size_t value = 0;
  EXPECT_EQ(clGetKernelInfo(kernel, 0x7777, sizeof value, &value, nullptr), CL_INVALID_VALUE);
}

TEST_F(Kernels, CreationErrors) {
  SPEC("API, Creating Kernel Objects: errors; clCreateKernelsInProgram");
  Program program = build("kernel void one() {} kernel void two() {} void helper() {}");
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateKernel(program, "three", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(program, "helper", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(program, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateKernel(make_program("kernel void k() {}"), "k", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
  cl_uint count = 0;
  ASSERT_CL(clCreateKernelsInProgram(program, 0, nullptr, &count));
  EXPECT_EQ(count, 2u);
  cl_kernel kernels[2] = {};
  EXPECT_EQ(clCreateKernelsInProgram(program, 1, kernels, nullptr), CL_INVALID_VALUE);
  ASSERT_CL(clCreateKernelsInProgram(program, 2, kernels, nullptr));
  for (cl_kernel kernel : kernels)
    EXPECT_CL(clReleaseKernel(kernel));
}

TEST_F(Kernels, ArgumentErrors) {
  SPEC("API, Setting Kernel Arguments: errors of clSetKernelArg");
  Kernel kernel = make_kernel("kernel void k(global int* a, float b, local char* c) {}", "k");
  Memory buffer = make_buffer(64);
  const float number = 1;
  EXPECT_EQ(clSetKernelArg(nullptr, 0, sizeof(cl_mem), buffer.ptr()), CL_INVALID_KERNEL);
  EXPECT_EQ(clSetKernelArg(kernel, 3, sizeof number, &number), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 2, &number), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 8, &number), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 4, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 3, buffer.ptr()), CL_INVALID_ARG_SIZE);
  // Valid since OpenCL 3.1.
  const cl_int without_memory = clSetKernelArg(kernel, 2, 0, nullptr);
  EXPECT_TRUE(without_memory == CL_INVALID_ARG_SIZE || without_memory == CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, 16, &number), CL_INVALID_ARG_VALUE);
  const size_t one = 1;
  ASSERT_CL(clSetKernelArg(kernel, 1, 4, &number));
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_INVALID_KERNEL_ARGS);
}

TEST_F(Kernels, ValuesOfEveryType) {
  SPEC("C, Built-in Scalar and Vector Data Types; API, Setting Kernel Arguments: arguments by "
       "value");
  Kernel kernel = make_kernel(R"(
    typedef struct { char a; double b; short c[3]; } S;
    kernel void k(char c, short8 s, long l, float3 f, uchar2 u, S value, constant int* in, global int* out) {
      out[0] = c; out[1] = s.s7; out[2] = (int)(l >> 32); out[3] = (int)f.z; out[4] = u.y; out[5] = value.a;
      out[6] = (int)value.b; out[7] = value.c[2]; out[8] = in[1];
    })",
                              "k");
  struct S {
    cl_char a;
    cl_double b;
    cl_short c[3];
  } value = {7, 8.0, {1, 2, 9}};
  cl_short8 s = {};
  s.s[7] = -300;
  cl_float3 f = {};
  f.s[2] = 33;
  cl_uchar2 u = {};
  u.s[1] = 200;
  Memory out = make_buffer(9 * sizeof(cl_int)), in = make_buffer(std::vector<cl_int>{5, 55});
  set_arguments(kernel, cl_char(-5), s, cl_long(77) << 32, f, u, value, in, out);
  run(kernel, {1});
  EXPECT_EQ(read<cl_int>(out, 9), (std::vector<cl_int>{-5, -300, 77, 33, 200, 7, 8, 9, 55}));
}

TEST_F(Kernels, NullBuffersAreNullPointers) {
  SPEC("API, Setting Kernel Arguments: a NULL buffer is a NULL pointer in the kernel");
  Kernel kernel =
      make_kernel("kernel void k(global int* p, global int* out) { *out = p == 0; }", "k");
  Memory out = make_buffer(sizeof(cl_int));
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), out.ptr()));
  run(kernel, {1});
  EXPECT_EQ(read<cl_int>(out, 1)[0], 1);
}

TEST_F(Kernels, WorkGroupInfo) {
  SPEC("API, Kernel Object Queries: clGetKernelWorkGroupInfo");
  Kernel kernel = make_kernel(R"(
    kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(global int* a, local int* b) {
      local int c[100]; c[get_local_id(0)] = a[0]; b[0] = c[1]; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = b[0] + c[3]; })",
                              "k");
  struct Sizes {
    size_t s[3];
  };
  const auto required = group_info<Sizes>(kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  EXPECT_EQ(std::vector<size_t>(required.s, required.s + 3), (std::vector<size_t>{8, 2, 1}));
  EXPECT_GE(group_info<size_t>(kernel, CL_KERNEL_WORK_GROUP_SIZE), 16u);
  EXPECT_GE(group_info<size_t>(kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), 1u);
  group_info<cl_ulong>(kernel, CL_KERNEL_PRIVATE_MEM_SIZE);
  EXPECT_GE(group_info<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE), 400u);
  Memory buffer = make_buffer(4096);
  set_arguments(kernel, buffer, Local{1000});
  EXPECT_GE(group_info<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE), 1400u);
  const size_t global[] = {16, 2}, local[] = {4, 2};
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
            CL_INVALID_WORK_GROUP_SIZE);
  Sizes any{};
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof any, &any,
                                     nullptr),
            CL_INVALID_VALUE);
}

TEST_F(Kernels, ArgumentInformation) {
  SPEC("API, Kernel Object Queries: clGetKernelArgInfo");
  Kernel kernel = make_kernel("typedef float real; kernel void k(global const int* restrict a, "
                              "constant float4* b, local uchar* c,\n"
                              "  unsigned int d, volatile global real* e) {}",
                              "k", "-cl-kernel-arg-info");
  struct Row {
    const char *name, *type;
    cl_kernel_arg_address_qualifier space;
    cl_kernel_arg_type_qualifier qualifier;
  };
  const Row rows[] = {
      {"a", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL,
       CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
      {"b", "float4*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
      {"c", "uchar*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE},
      {"d", "uint", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
      {"e", "real*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_VOLATILE},
  };
  for (cl_uint i = 0; i < 5; ++i) {
    SCOPED_TRACE(rows[i].name);
    EXPECT_EQ(argument_text(kernel, i, CL_KERNEL_ARG_NAME), rows[i].name);
    EXPECT_EQ(argument_text(kernel, i, CL_KERNEL_ARG_TYPE_NAME), rows[i].type);
    EXPECT_EQ(
        argument_info<cl_kernel_arg_address_qualifier>(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
        rows[i].space);
    EXPECT_EQ(argument_info<cl_kernel_arg_type_qualifier>(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER),
              rows[i].qualifier);
    EXPECT_EQ(
        argument_info<cl_kernel_arg_access_qualifier>(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER),
        cl_uint(CL_KERNEL_ARG_ACCESS_NONE));
  }
  char text[16];
  EXPECT_EQ(clGetKernelArgInfo(kernel, 5, CL_KERNEL_ARG_NAME, sizeof text, text, nullptr),
            CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, 0x7777, sizeof text, text, nullptr), CL_INVALID_VALUE);
}

TEST_F(Kernels, ClonesHaveTheirOwnArguments) {
  SPEC("API, Copying Kernel Objects: clCloneKernel");
  if (version < 210)
    GTEST_SKIP();
  Kernel kernel = make_kernel("kernel void k(global int* out, int value) { out[0] = value; }", "k");
  Memory a = make_buffer(4), b = make_buffer(4);
  set_arguments(kernel, a, cl_int(1));
  cl_int error = CL_SUCCESS;
  Kernel clone(clCloneKernel(kernel, &error));
  ASSERT_CL(error);
  set_argument(clone, 0, b);
  set_argument(kernel, 1, cl_int(2));
  run(clone, {1});
  run(kernel, {1});
  EXPECT_EQ(read<cl_int>(a, 1)[0], 2);
  EXPECT_EQ(read<cl_int>(b, 1)[0], 1) << "the value set before cloning";
}

TEST_F(Kernels, ProgramScopeConstantsAndHelpers) {
  SPEC("C, Address Space Qualifiers: constant at program scope; kernels may call kernels as "
       "functions");
  Kernel kernel = make_kernel(R"(
    constant int table[4] = {10, 20, 30, 40};
    kernel void inner(global int* out, int i) { out[i] = table[i & 3]; }
    kernel void outer(global int* out) { inner(out, (int)get_global_id(0)); })",
                              "outer");
  Memory out = make_buffer(8 * sizeof(cl_int));
  set_arguments(kernel, out);
  run(kernel, {8});
  EXPECT_EQ(read<cl_int>(out, 8), (std::vector<cl_int>{10, 20, 30, 40, 10, 20, 30, 40}));
}

} // namespace
