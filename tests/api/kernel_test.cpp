// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels (OpenCL API 5.9, 5.10): creation, arguments, queries, cloning, ND-range validation,
// native kernels.
#include "tests/api/api_test.h"

#include <algorithm>
#include <array>

namespace heddle::test {
namespace {

const size_t kHuge = ~size_t{0};

constexpr const char* kSource = R"(
typedef struct { int a; float b; char c; } Mixed;
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global int* out) { out[get_global_id(0)] = 1; }
kernel __attribute__((work_group_size_hint(8, 1, 1))) void hinted(global int* out) { out[get_global_id(0)] = 2; }
kernel void many(global int* out, const global float4* restrict in, constant uint* table, local long* scratch,
                 int number, uchar4 small, Mixed mixed) {
  size_t i = get_global_id(0);
  scratch[get_local_id(0)] = number;
  out[i] = (int)in[i].y + (int)table[1] + (int)scratch[get_local_id(0)] + small.z + mixed.a + (int)mixed.b + mixed.c;
}
kernel void static_local(global int* out) { local int tile[300]; tile[get_local_id(0)] = 3; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)]; }
kernel void ids(global int* out) { out[get_global_id(0)] = (int)(get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2)); }
)";

class KernelTest : public ApiTest {
 protected:
  Program program_ = build(context_, kSource, "-cl-kernel-arg-info");
  Buffer out_ = make_buffer(context_, 4096);

  template <class T>
  T ask(cl_kernel kernel, cl_kernel_work_group_info name) {
    T value{};
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device(), name, sizeof value, &value, nullptr),
              CL_SUCCESS);
    return value;
  }
  std::string arg_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    char text[256] = {};
    EXPECT_EQ(clGetKernelArgInfo(kernel, index, name, sizeof text, text, nullptr), CL_SUCCESS);
    return text;
  }
  template <class T>
  T arg(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    T value{};
    EXPECT_EQ(clGetKernelArgInfo(kernel, index, name, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }
};

TEST_F(KernelTest, CreateErrors) {
  cl_int status = 1;
  EXPECT_EQ(clCreateKernel(program_, "nothing", &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(program_, "", &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_KERNEL_NAME);
  EXPECT_EQ(clCreateKernel(program_, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(KernelTest, AllOfAProgram) {
  cl_uint count = 0;
  ASSERT_EQ(clCreateKernelsInProgram(program_, 0, nullptr, &count), CL_SUCCESS);
  ASSERT_EQ(count, 5u);
  cl_kernel kernels[5] = {};
  EXPECT_EQ(clCreateKernelsInProgram(program_, 4, kernels, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clCreateKernelsInProgram(program_, 5, kernels, nullptr), CL_SUCCESS);
  std::vector<std::string> names;
  for (const auto kernel : kernels) {
    char name[64] = {};
    EXPECT_EQ(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr),
              CL_SUCCESS);
    names.emplace_back(name);
    clReleaseKernel(kernel);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"hinted", "ids", "many", "required", "static_local"}));
}

TEST_F(KernelTest, Info) {
  const auto kernel = make_kernel(program_, "many");
  for (const cl_uint name : {CL_KERNEL_FUNCTION_NAME, CL_KERNEL_NUM_ARGS, CL_KERNEL_REFERENCE_COUNT,
                             CL_KERNEL_CONTEXT, CL_KERNEL_PROGRAM, CL_KERNEL_ATTRIBUTES})
    expect_info_contract([&](auto... a) { return clGetKernelInfo(kernel, a...); }, name);
  EXPECT_EQ(clGetKernelInfo(kernel, 0x7fff1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  for (const cl_uint name :
       {CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_PRIVATE_MEM_SIZE})
    expect_info_contract(
        [&](auto... a) { return clGetKernelWorkGroupInfo(kernel, device(), a...); }, name);
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device(), 0x7fff1234, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  // Only for custom devices and built-in kernels.
  size_t sizes[3];
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes,
                                     sizes, nullptr),
            CL_INVALID_VALUE);
  cl_uint count = 0;
  ASSERT_EQ(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 7u);
  char attributes[256] = {};
  const auto required = make_kernel(program_, "required");
  ASSERT_EQ(clGetKernelInfo(required, CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, nullptr),
            CL_SUCCESS);
  EXPECT_NE(std::string(attributes).find("reqd_work_group_size(4"), std::string::npos)
      << attributes;
}

TEST_F(KernelTest, WorkGroupInfo) {
  const auto required = make_kernel(program_, "required");
  using Sizes = std::array<size_t, 3>;
  EXPECT_EQ(ask<Sizes>(required, CL_KERNEL_COMPILE_WORK_GROUP_SIZE), (Sizes{4, 2, 1}));
  const auto free = make_kernel(program_, "ids");
  EXPECT_EQ(ask<Sizes>(free, CL_KERNEL_COMPILE_WORK_GROUP_SIZE), (Sizes{0, 0, 0}));
  EXPECT_GE(ask<size_t>(free, CL_KERNEL_WORK_GROUP_SIZE), 1u);
  EXPECT_GE(ask<size_t>(free, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), 1u);
  const auto fixed = make_kernel(program_, "static_local");
  EXPECT_GE(ask<cl_ulong>(fixed, CL_KERNEL_LOCAL_MEM_SIZE), 1200u);
  const auto many = make_kernel(program_, "many");
  const auto before = ask<cl_ulong>(many, CL_KERNEL_LOCAL_MEM_SIZE);
  ASSERT_EQ(clSetKernelArg(many, 3, 4096, nullptr), CL_SUCCESS);
  EXPECT_GE(ask<cl_ulong>(many, CL_KERNEL_LOCAL_MEM_SIZE), before + 4096);
}

TEST_F(KernelTest, ArgumentInfo) {
  const auto kernel = make_kernel(program_, "many");
  const char* names[] = {"out", "in", "table", "scratch", "number", "small", "mixed"};
  const char* types[] = {"int*", "float4*", "uint*", "long*", "int", "uchar4", "Mixed"};
  const cl_kernel_arg_address_qualifier spaces[] = {
      CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_CONSTANT,
      CL_KERNEL_ARG_ADDRESS_LOCAL,  CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_PRIVATE,
      CL_KERNEL_ARG_ADDRESS_PRIVATE};
  for (cl_uint i = 0; i != 7; ++i) {
    EXPECT_EQ(arg_text(kernel, i, CL_KERNEL_ARG_NAME), names[i]);
    EXPECT_EQ(arg_text(kernel, i, CL_KERNEL_ARG_TYPE_NAME), types[i]);
    EXPECT_EQ(arg<cl_kernel_arg_address_qualifier>(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
              spaces[i]);
    EXPECT_EQ(arg<cl_kernel_arg_access_qualifier>(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER),
              cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE});
    expect_info_contract([&](auto... a) { return clGetKernelArgInfo(kernel, i, a...); },
                         CL_KERNEL_ARG_NAME);
  }
  EXPECT_EQ(arg<cl_kernel_arg_type_qualifier>(kernel, 1, CL_KERNEL_ARG_TYPE_QUALIFIER),
            cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT});
  EXPECT_EQ(arg<cl_kernel_arg_type_qualifier>(kernel, 2, CL_KERNEL_ARG_TYPE_QUALIFIER),
            cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_CONST});
  EXPECT_EQ(arg<cl_kernel_arg_type_qualifier>(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER),
            cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_NONE});
  char text[8];
  EXPECT_EQ(clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, sizeof text, text, nullptr),
            CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clGetKernelArgInfo(kernel, ~0u, CL_KERNEL_ARG_NAME, sizeof text, text, nullptr),
            CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, 0x7fff1234, sizeof text, text, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(KernelTest, SetArgumentErrors) {
  const auto kernel = make_kernel(program_, "many");
  const cl_int number = 3;
  EXPECT_EQ(clSetKernelArg(kernel, 7, 4, &number), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel, ~0u, 4, &number), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel, 4, 8, &number), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 4, 0, &number), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 4, kHuge, &number), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 4, 4, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, out_.address()), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 3, 16, &number), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 3, 0, &number), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), CL_SUCCESS);
  const cl_mem none = nullptr;
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &none), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof(cl_mem), nullptr), CL_SUCCESS);
}

// Since OpenCL 3.1: the kernel does not use the memory, and the other arguments keep theirs.
TEST_F(KernelTest, LocalArgumentsOfSizeZero) {
  const auto program = build(context_, "kernel void k(local int* a, local int* none, local int* b,"
                                       "              global int* out) {"
                                       "  int i = get_local_id(0); a[i] = i; b[i] = 10 * i;"
                                       "  barrier(CLK_LOCAL_MEM_FENCE);"
                                       "  out[i] = a[7 - i] + b[7 - i]; }");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context_, 8 * sizeof(cl_int));
  set_args(kernel, Local{8 * sizeof(cl_int)}, Local{0}, Local{8 * sizeof(cl_int)}, out);
  run(queue_, kernel, {{8}, {8}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 8), (std::vector<cl_int>{77, 66, 55, 44, 33, 22, 11, 0}));
  // Alone, and back to some memory.
  set_args(kernel, Local{0}, Local{0}, Local{0}, out);
  cl_ulong bytes = 1;
  check(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes,
                                 nullptr),
        "CL_KERNEL_LOCAL_MEM_SIZE");
  EXPECT_EQ(bytes, 0u);
  set_args(kernel, Local{32}, Local{4}, Local{32}, out);
  run(queue_, kernel, {{8}, {8}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 1)[0], 77);
}

TEST_F(KernelTest, ArgumentsNotSet) {
  const auto kernel = make_kernel(program_, "many");
  EXPECT_EQ(enqueue(queue_, kernel, {{4}, {}, {}}), CL_INVALID_KERNEL_ARGS);
  set_args(kernel, out_);
  EXPECT_EQ(enqueue(queue_, kernel, {{4}, {}, {}}), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(clEnqueueTask(queue_, kernel, 0, nullptr, nullptr), CL_INVALID_KERNEL_ARGS);
}

TEST_F(KernelTest, TooMuchLocalMemory) {
  const auto kernel = make_kernel(program_, "many");
  struct Mixed {
    cl_int a;
    cl_float b;
    cl_char c;
  };
  const auto local = info<cl_ulong>(device(), CL_DEVICE_LOCAL_MEM_SIZE);
  const auto in = make_buffer(context_, 4096), table = make_buffer(context_, 64);
  for (const size_t bytes : {static_cast<size_t>(local) + 1, kHuge, kHuge - 127, kHuge / 2}) {
    ASSERT_EQ(set_arg(kernel, 0, out_), CL_SUCCESS);
    ASSERT_EQ(set_arg(kernel, 1, in), CL_SUCCESS);
    ASSERT_EQ(set_arg(kernel, 2, table), CL_SUCCESS);
    const auto status = clSetKernelArg(kernel, 3, bytes, nullptr);
    EXPECT_TRUE(status == CL_SUCCESS || status == CL_INVALID_ARG_SIZE ||
                status == CL_OUT_OF_RESOURCES)
        << status;
    if (status != CL_SUCCESS)
      continue;
    set_arg(kernel, 4, cl_int{1});
    set_arg(kernel, 5, cl_uchar4{});
    set_arg(kernel, 6, Mixed{});
    EXPECT_EQ(enqueue(queue_, kernel, {{4}, {4}, {}}), CL_OUT_OF_RESOURCES) << bytes;
  }
}

TEST_F(KernelTest, EveryKindOfArgument) {
  const auto kernel = make_kernel(program_, "many");
  struct Mixed {
    cl_int a;
    cl_float b;
    cl_char c;
  };
  std::vector<cl_float4> in(16);
  for (int i = 0; i != 16; ++i)
    in[i].s[1] = static_cast<float>(i);
  const cl_uint table[] = {1, 1000};
  const auto in_buffer = make_buffer(context_, in.size() * sizeof in[0], in.data());
  const auto table_buffer = make_buffer(context_, sizeof table, table);
  cl_uchar4 small{};
  small.s[2] = 50;
  set_args(kernel, out_, in_buffer, table_buffer, Local{8 * 8}, cl_int{20000}, small,
           Mixed{300000, 4000000.f, 7});
  run(queue_, kernel, {{16}, {8}, {}});
  const auto values = read<cl_int>(queue_, out_, 16);
  for (int i = 0; i != 16; ++i)
    EXPECT_EQ(values[i], i + 1000 + 20000 + 50 + 300000 + 4000000 + 7);
}

// A command uses the argument values at the time of its enqueue.
TEST_F(KernelTest, ArgumentsAreCaptured) {
  const auto program =
      build(context_, "kernel void put(global int* x, int at, int v) { x[at] = v; }");
  const auto kernel = make_kernel(program, "put");
  cl_int status = 1;
  Event gate(clCreateUserEvent(context_, &status));
  for (cl_int i = 0; i != 100; ++i) {
    set_args(kernel, out_, i, i * 3);
    ASSERT_EQ(enqueue(queue_, kernel, {{1}, {}, {}}, nullptr, {gate}), CL_SUCCESS);
  }
  set_args(kernel, out_, cl_int{0}, cl_int{-1});
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  const auto values = read<cl_int>(queue_, out_, 100);
  for (int i = 0; i != 100; ++i)
    EXPECT_EQ(values[i], i * 3);
}

TEST_F(KernelTest, Clone) {
  const auto program =
      build(context_, "kernel void put(global int* x, int at, int v) { x[at] = v; }");
  const auto kernel = make_kernel(program, "put");
  set_args(kernel, out_, cl_int{3}, cl_int{30});
  cl_int status = 1;
  Kernel copy(clCloneKernel(kernel, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  ASSERT_EQ(set_arg(copy, 1, cl_int{4}), CL_SUCCESS); // the others come from the original
  run(queue_, copy, {{1}, {}, {}});
  run(queue_, kernel, {{1}, {}, {}});
  const auto values = read<cl_int>(queue_, out_, 5);
  EXPECT_EQ(values[3], 30);
  EXPECT_EQ(values[4], 30);
  cl_uint references = 0;
  ASSERT_EQ(
      clGetKernelInfo(copy, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(references, 1u);
}

TEST_F(KernelTest, RangeErrors) {
  const auto kernel = make_kernel(program_, "ids");
  set_args(kernel, out_);
  const size_t one[] = {1, 1, 1, 1}, zero[] = {0, 0, 0};
  const auto ranged = [&](cl_uint dim, const size_t* offset, const size_t* global,
                          const size_t* local) {
    return clEnqueueNDRangeKernel(queue_, kernel, dim, offset, global, local, 0, nullptr, nullptr);
  };
  EXPECT_EQ(ranged(0, nullptr, one, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(ranged(4, nullptr, one, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(ranged(~0u, nullptr, one, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(ranged(1, nullptr, one, zero), CL_INVALID_WORK_GROUP_SIZE);
  const auto largest = info<size_t>(device(), CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const size_t big[] = {largest * 2, 1, 1};
  const auto status = ranged(1, nullptr, big, big);
  EXPECT_TRUE(status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE)
      << status;
  const size_t huge_local[] = {kHuge, 1, 1}, wide[] = {largest, largest, 1};
  EXPECT_LT(ranged(1, nullptr, one, huge_local), 0);
  EXPECT_EQ(ranged(2, nullptr, wide, wide), CL_INVALID_WORK_GROUP_SIZE);
  const size_t product[] = {size_t{1} << 32, size_t{1} << 32, 1}; // the product is 0 in 64 bits
  EXPECT_LT(ranged(2, nullptr, product, product), 0);
  const size_t far[] = {kHuge - 1, 0, 0}, ten[] = {10, 1, 1};
  EXPECT_EQ(ranged(1, far, ten, nullptr), CL_INVALID_GLOBAL_OFFSET);
}

TEST_F(KernelTest, EmptyRangeCompletes) {
  const auto kernel = make_kernel(program_, "ids");
  set_args(kernel, out_);
  const cl_int before[] = {-5};
  ASSERT_EQ(clEnqueueWriteBuffer(queue_, out_, CL_TRUE, 0, 4, before, 0, nullptr, nullptr),
            CL_SUCCESS);
  Event event;
  // From OpenCL 2.1 a global size of 0 is an empty command (5.10, clEnqueueNDRangeKernel).
  ASSERT_EQ(enqueue(queue_, kernel, {{0}, {}, {}}, event.out()), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, event.address()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(queue_, out_, 1)[0], -5);
}

TEST_F(KernelTest, RequiredSize) {
  const auto kernel = make_kernel(program_, "required");
  set_args(kernel, out_);
  EXPECT_EQ(enqueue(queue_, kernel, {{8, 2}, {8, 1}, {}}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(queue_, kernel, {{8, 2}, {4, 2}, {}}), CL_SUCCESS);
  EXPECT_EQ(enqueue(queue_, kernel, {{8, 2}, {}, {}}), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(KernelTest, KernelOfAnotherContext) {
  const auto other = make_context();
  const auto queue = make_queue(other);
  const auto kernel = make_kernel(program_, "ids");
  set_args(kernel, out_);
  EXPECT_EQ(enqueue(queue, kernel, {{4}, {}, {}}), CL_INVALID_CONTEXT);
}

TEST_F(KernelTest, Task) {
  const auto kernel = make_kernel(program_, "ids");
  set_args(kernel, out_);
  Event event;
  ASSERT_EQ(clEnqueueTask(queue_, kernel, 0, nullptr, event.out()), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, event.address()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(queue_, out_, 1)[0], 0);
}

struct NativeArguments {
  cl_int* first;
  cl_int number;
  cl_int* second;
};
void CL_CALLBACK native(void* data) {
  const auto* arguments = static_cast<NativeArguments*>(data);
  arguments->first[0] += arguments->number;
  arguments->second[0] = arguments->first[0] * 2;
}

TEST_F(KernelTest, Native) {
  if (!(info<cl_device_exec_capabilities>(device(), CL_DEVICE_EXECUTION_CAPABILITIES) &
        CL_EXEC_NATIVE_KERNEL))
    GTEST_SKIP() << "the device runs no native kernels";
  const cl_int forty = 40;
  const auto first = make_buffer(context_, 4, &forty), second = make_buffer(context_, 4);
  NativeArguments arguments{nullptr, 2, nullptr};
  const cl_mem list[] = {first, second};
  const void* places[] = {&arguments.first, &arguments.second};
  Event event;
  ASSERT_EQ(clEnqueueNativeKernel(queue_, native, &arguments, sizeof arguments, 2, list, places, 0,
                                  nullptr, event.out()),
            CL_SUCCESS);
  arguments.number = 1000; // the arguments were copied
  ASSERT_EQ(clWaitForEvents(1, event.address()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(queue_, second, 1)[0], 84);
  const auto calling = [&](void(CL_CALLBACK * f)(void*), void* data, size_t size, cl_uint count,
                           const cl_mem* memory, const void** where) {
    return clEnqueueNativeKernel(queue_, f, data, size, count, memory, where, 0, nullptr, nullptr);
  };
  EXPECT_EQ(calling(nullptr, nullptr, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(calling(native, nullptr, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(calling(native, &arguments, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(calling(native, &arguments, sizeof arguments, 2, nullptr, places), CL_INVALID_VALUE);
  EXPECT_EQ(calling(native, &arguments, sizeof arguments, 2, list, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(calling(native, &arguments, sizeof arguments, 0, list, places), CL_INVALID_VALUE);
}

} // namespace
} // namespace heddle::test
