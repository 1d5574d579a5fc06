// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_initialize_memory: local and private memory that kernels never wrote is zero.
#include "tests/api/api_test.h"

#include <algorithm>

namespace heddle::test {
namespace {

constexpr cl_context_properties kLocal = 1, kPrivate = 2;

Context make_initializing(cl_context_properties what, cl_int* status) {
  const cl_context_properties properties[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, what, 0};
  const auto unit = device();
  return Context(clCreateContext(properties, 1, &unit, nullptr, nullptr, status));
}

// Variables whose first values no program should read; the sums of what is there.
const char* const kSource = R"(
  kernel void dirty(global int* out, local int* given) {
    local int own[256];
    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) own[i] = given[i] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = own[get_local_id(0)] + given[get_local_id(0)];
  }
  kernel void read_local(global int* out, local int* given) {
    local int own[256];
    local struct { char c; long l; } other;
    int sum = other.c + (int)other.l;
    for (int i = 0; i < 256; ++i) sum |= own[i] | given[i];
    out[get_global_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    own[get_local_id(0)] = given[get_local_id(0)] = -1;
  }
  struct Pair { int a; long b[3]; };
  int helper(int n) { int place[8]; int sum = 0; for (int i = 0; i < 8; ++i) sum |= place[(i + n) & 7]; return sum; }
  kernel void read_private(global int* out, int n) {
    int scalar; float4 vector; int array[40]; struct Pair pair;
    int sum = scalar | as_int4(vector).w | pair.a | (int)pair.b[n & 1] | helper(n);
    for (int i = 0; i < 40; ++i) sum |= array[(i + n) % 40];
    out[get_global_id(0)] = sum;
  })";

TEST(InitializeMemory, IsReported) {
  EXPECT_NE((" " + device_text(CL_DEVICE_EXTENSIONS) + " ").find(" cl_khr_initialize_memory "),
            std::string::npos);
}

TEST(InitializeMemory, Local) {
  cl_int status = CL_SUCCESS;
  const auto context = make_initializing(kLocal, &status);
  check(status, "clCreateContext");
  const auto queue = make_queue(context);
  const auto program = build(context, kSource);
  const auto dirty = make_kernel(program, "dirty"), reads = make_kernel(program, "read_local");
  for (const size_t group : {1, 16, 100}) {
    const auto out = make_buffer(context, 4000 * 4);
    set_args(dirty, out, Local{1024});
    run(queue, dirty, {{4000}, {group}, {}});
    const std::vector<cl_int> ones(4000, -1);
    check(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, 16'000, ones.data(), 0, nullptr, nullptr),
          "write");
    set_args(reads, out, Local{1024});
    run(queue, reads, {{4000}, {group}, {}});
    const auto values = read<cl_int>(queue, out, 4000);
    EXPECT_EQ(std::count(values.begin(), values.end(), 0), 4000) << "groups of " << group;
  }
}

TEST(InitializeMemory, Private) {
  cl_int status = CL_SUCCESS;
  const auto context = make_initializing(kPrivate, &status);
  check(status, "clCreateContext");
  const auto queue = make_queue(context);
  for (const char* options : {"", "-cl-opt-disable"}) {
    const auto program = build(context, kSource, options);
    const auto kernel = make_kernel(program, "read_private");
    const std::vector<cl_int> ones(1000, -1);
    const auto out = make_buffer(context, 4000, ones.data(), CL_MEM_COPY_HOST_PTR);
    set_args(kernel, out, cl_int(3));
    run(queue, kernel, {{1000}, {}, {}});
    const auto values = read<cl_int>(queue, out, 1000);
    EXPECT_EQ(std::count(values.begin(), values.end(), 0), 1000) << options;
  }
}

// Binaries come from a context that initializes nothing.
TEST(InitializeMemory, PrivateOfBinaries) {
  const auto plain = make_context();
  for (const char* options : {"", "-cl-opt-disable"}) {
    const auto source = build(plain, kSource, options);
    size_t size = 0;
    check(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "size");
    std::vector<unsigned char> bytes(size);
    auto* binary = bytes.data();
    check(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof binary, &binary, nullptr), "binary");
    cl_int status = CL_SUCCESS;
    const auto context = make_initializing(kPrivate, &status);
    check(status, "clCreateContext");
    const auto queue = make_queue(context);
    const auto unit = device();
    const unsigned char* given = bytes.data();
    const Program program(
        clCreateProgramWithBinary(context, 1, &unit, &size, &given, nullptr, &status));
    check(status, "clCreateProgramWithBinary");
    check(clBuildProgram(program, 1, &unit, "", nullptr, nullptr), "clBuildProgram");
    const auto kernel = make_kernel(program, "read_private");
    const std::vector<cl_int> ones(1000, -1);
    const auto out = make_buffer(context, 4000, ones.data(), CL_MEM_COPY_HOST_PTR);
    set_args(kernel, out, cl_int(3));
    run(queue, kernel, {{1000}, {}, {}});
    const auto values = read<cl_int>(queue, out, 1000);
    EXPECT_EQ(std::count(values.begin(), values.end(), 0), 1000) << options;
  }
}

TEST(InitializeMemory, Property) {
  cl_int status = CL_SUCCESS;
  const auto both = make_initializing(kLocal | kPrivate, &status);
  EXPECT_EQ(status, CL_SUCCESS);
  cl_context_properties properties[3] = {};
  check(clGetContextInfo(both, CL_CONTEXT_PROPERTIES, sizeof properties, properties, nullptr),
        "CL_CONTEXT_PROPERTIES");
  EXPECT_EQ(properties[0], CL_CONTEXT_MEMORY_INITIALIZE_KHR);
  EXPECT_EQ(properties[1], kLocal | kPrivate);
  EXPECT_NE(make_initializing(0, &status).get(), nullptr);
  EXPECT_EQ(make_initializing(4, &status).get(), nullptr);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
  const cl_context_properties twice[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1,
                                         CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1, 0};
  const auto unit = device();
  EXPECT_EQ(clCreateContext(twice, 1, &unit, nullptr, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
}

} // namespace
} // namespace heddle::test
