// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments out of range that no other file of this folder covers: devices of builds, properties of
// queues and buffers, offsets and sizes of ranges, native kernels, unmapping, and the results of
// valid calls of optional features that the device does not have.
#include "tests/api/api_test.h"

#include <cstdint>

namespace heddle::test {
namespace {

constexpr const char* kSource = "kernel void k(global int* out) { out[get_global_id(0)] = 7; }";
char scratch[256];

void CL_CALLBACK ignore_native(void*) {}
void CL_CALLBACK ignore_program(cl_program, void*) {}

class ArgumentErrors : public ApiTest {
 protected:
  Buffer buffer_ = make_buffer(context_, 256);
  Program program_ = build(context_, kSource);
  Kernel kernel_ = make_kernel(program_, "k");
};

// A device that is not one of the context's.
Device part_of_device() {
  Device part;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl_device_id> parts(4096);
  cl_uint count = 0;
  if (clCreateSubDevices(device(), equally, 4096, parts.data(), &count) != CL_SUCCESS)
    return part;
  for (cl_uint i = 1; i < count; ++i)
    clReleaseDevice(parts[i]);
  *part.out() = parts[0];
  return part;
}

TEST_F(ArgumentErrors, DevicesOfBuilds) {
  const auto source = make_program(context_, kSource);
  const auto root = device();
  const auto compile = [&](cl_uint count, const cl_device_id* list) {
    return clCompileProgram(source, count, list, "", 0, nullptr, nullptr, nullptr, nullptr);
  };
  const auto link = [&](cl_uint count, const cl_device_id* list) {
    cl_int status = CL_SUCCESS;
    const auto linked = Program(
        clLinkProgram(context_, count, list, "", 1, source.address(), nullptr, nullptr, &status));
    return status;
  };
  EXPECT_EQ(clBuildProgram(source, 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(source, 0, &root, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(source, 0, nullptr, "", nullptr, scratch), CL_INVALID_VALUE);
  EXPECT_EQ(compile(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(compile(0, &root), CL_INVALID_VALUE);
  EXPECT_EQ(compile(0, nullptr), CL_SUCCESS);
  EXPECT_EQ(link(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(link(0, &root), CL_INVALID_VALUE);
  const auto part = part_of_device();
  if (!part)
    return;
  EXPECT_EQ(clBuildProgram(source, 1, part.address(), "", nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(compile(1, part.address()), CL_INVALID_DEVICE);
  EXPECT_EQ(link(1, part.address()), CL_INVALID_DEVICE);
  EXPECT_EQ(clGetProgramBuildInfo(program_, part, CL_PROGRAM_BUILD_STATUS, sizeof scratch, scratch,
                                  nullptr),
            CL_INVALID_DEVICE);
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel_, part, CL_KERNEL_WORK_GROUP_SIZE, sizeof scratch,
                                     scratch, nullptr),
            CL_INVALID_DEVICE);
  cl_int status = CL_SUCCESS;
  const auto* bytes = reinterpret_cast<const unsigned char*>("binary");
  const size_t size = 6;
  EXPECT_EQ(clCreateProgramWithBinary(context_, 1, part.address(), &size, &bytes, nullptr, &status),
            nullptr);
  EXPECT_EQ(status, CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_, part, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateCommandQueue(context_, part, 0, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_DEVICE);
}

TEST_F(ArgumentErrors, HeadersOfCompile) {
  const auto source = make_program(context_, kSource);
  const auto header = make_program(context_, "");
  const auto compile = [&](cl_uint count, const cl_program* headers, const char** names) {
    return clCompileProgram(source, 0, nullptr, "", count, headers, names, nullptr, nullptr);
  };
  const char* names[] = {"a.h"};
  const char* no_name[] = {nullptr};
  EXPECT_EQ(compile(1, header.address(), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(compile(1, nullptr, names), CL_INVALID_VALUE);
  EXPECT_EQ(compile(0, header.address(), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(compile(0, nullptr, names), CL_INVALID_VALUE);
  EXPECT_EQ(compile(1, header.address(), no_name), CL_INVALID_VALUE);
  EXPECT_EQ(compile(1, header.address(), names), CL_SUCCESS);
}

TEST_F(ArgumentErrors, QueueProperties) {
  cl_int status = CL_SUCCESS;
  EXPECT_EQ(clCreateCommandQueue(context_, device(), ~cl_command_queue_properties{0}, &status),
            nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateCommandQueue(context_, device(), CL_QUEUE_ON_DEVICE, &status), nullptr);
  EXPECT_TRUE(status == CL_INVALID_VALUE || status == CL_INVALID_QUEUE_PROPERTIES) << status;
}

TEST_F(ArgumentErrors, BufferProperties) {
  const auto create = [&](const cl_mem_properties* properties, cl_mem_flags flags, size_t size,
                          void* host) {
    cl_int status = CL_SUCCESS;
    const auto memory =
        Buffer(clCreateBufferWithProperties(context_, properties, flags, size, host, &status));
    EXPECT_EQ(memory.get() == nullptr, status != CL_SUCCESS);
    return status;
  };
  const cl_mem_properties none[] = {0}, unknown[] = {0x7777, 1, 0};
  EXPECT_EQ(create(none, CL_MEM_READ_WRITE, 64, nullptr), CL_SUCCESS);
  EXPECT_EQ(create(unknown, CL_MEM_READ_WRITE, 64, nullptr), CL_INVALID_PROPERTY);
  EXPECT_EQ(create(nullptr, CL_MEM_READ_WRITE, 0, nullptr), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(create(nullptr, CL_MEM_READ_WRITE, SIZE_MAX, nullptr), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(create(nullptr, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(create(nullptr, cl_mem_flags{1} << 40, 64, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(create(nullptr, CL_MEM_USE_HOST_PTR, 64, nullptr), CL_INVALID_HOST_PTR);
  EXPECT_EQ(create(nullptr, CL_MEM_READ_WRITE, 64, scratch), CL_INVALID_HOST_PTR);
}

TEST_F(ArgumentErrors, RangesThatWrap) {
  set_args(kernel_, buffer_);
  const auto launch = [&](const size_t* offset, const size_t* global) {
    return clEnqueueNDRangeKernel(queue_, kernel_, 1, offset, global, nullptr, 0, nullptr, nullptr);
  };
  const size_t four = 4, largest = SIZE_MAX;
  EXPECT_EQ(launch(&largest, &four), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(launch(nullptr, &four), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(ArgumentErrors, KernelsThatWereNotBuiltForTheQueue) {
  // A task has one work-item, so a required size of two is an error.
  const auto program =
      build(context_, "kernel __attribute__((reqd_work_group_size(2, 1, 1))) void k() {}");
  const auto two = make_kernel(program, "k");
  EXPECT_EQ(clEnqueueTask(queue_, two, 0, nullptr, nullptr), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(clEnqueueTask(queue_, kernel_, 0, nullptr, nullptr), CL_INVALID_KERNEL_ARGS);
  const auto elsewhere = make_context();
  const auto other_queue = make_queue(elsewhere);
  set_args(kernel_, buffer_);
  EXPECT_EQ(clEnqueueTask(other_queue, kernel_, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
}

// Built for one sub-device, enqueued on another.
TEST_F(ArgumentErrors, KernelsWithoutCodeForTheDevice) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl_device_id> parts(4096);
  cl_uint count = 0;
  if (clCreateSubDevices(device(), equally, 4096, parts.data(), &count) != CL_SUCCESS || count < 2)
    GTEST_SKIP() << "the device cannot be divided";
  parts.resize(count);
  const std::vector<Device> owners(parts.begin(), parts.end());
  cl_int status = CL_SUCCESS;
  const Context both(clCreateContext(nullptr, 2, parts.data(), nullptr, nullptr, &status));
  check(status, "clCreateContext");
  const Queue second(clCreateCommandQueueWithProperties(both, parts[1], nullptr, &status));
  check(status, "clCreateCommandQueueWithProperties");
  const auto program = make_program(both, "kernel void k() {}");
  check(clBuildProgram(program, 1, parts.data(), "", nullptr, nullptr), "clBuildProgram");
  const auto kernel = make_kernel(program, "k");
  const size_t one = 1;
  size_t local = 0;
  EXPECT_EQ(clEnqueueNDRangeKernel(second, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clEnqueueTask(second, kernel, 0, nullptr, nullptr), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, parts[1], CL_KERNEL_WORK_GROUP_SIZE, sizeof local,
                                     &local, nullptr),
            CL_INVALID_DEVICE);
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, parts[0], CL_KERNEL_WORK_GROUP_SIZE, sizeof local,
                                     &local, nullptr),
            CL_SUCCESS);
}

// The kernel's program and the object must be of one context.
TEST_F(ArgumentErrors, KernelArgumentOfAnotherContext) {
  const auto elsewhere = make_context();
  const auto foreign = make_buffer(elsewhere, 64);
  const auto status = clSetKernelArg(kernel_, 0, sizeof(cl_mem), foreign.address());
  EXPECT_TRUE(status == CL_INVALID_CONTEXT || status == CL_INVALID_MEM_OBJECT) << status;
}

TEST_F(ArgumentErrors, Native) {
  cl_device_exec_capabilities can = 0;
  check(clGetDeviceInfo(device(), CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, nullptr),
        "CL_DEVICE_EXECUTION_CAPABILITIES");
  if (!(can & CL_EXEC_NATIVE_KERNEL))
    GTEST_SKIP() << "the device runs no native kernels";
  void* arguments[2] = {};
  const void* places[] = {&arguments[0]};
  const auto enqueue = [&](void(CL_CALLBACK * function)(void*), void* args, size_t bytes,
                           cl_uint count, const cl_mem* list, const void** where) {
    return clEnqueueNativeKernel(queue_, function, args, bytes, count, list, where, 0, nullptr,
                                 nullptr);
  };
  const cl_mem* list = buffer_.address();
  EXPECT_EQ(enqueue(nullptr, arguments, sizeof arguments, 1, list, places), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(ignore_native, nullptr, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(ignore_native, nullptr, 0, 1, list, places), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(ignore_native, arguments, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(ignore_native, arguments, sizeof arguments, 1, nullptr, places),
            CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(ignore_native, arguments, sizeof arguments, 1, list, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(ignore_native, arguments, sizeof arguments, 0, list, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(ignore_native, arguments, sizeof arguments, 0, nullptr, places),
            CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(ignore_native, arguments, sizeof arguments, 1, list, places), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(ArgumentErrors, UnmappingWhatIsNotMapped) {
  cl_int status = CL_SUCCESS;
  void* place = clEnqueueMapBuffer(queue_, buffer_, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr,
                                   nullptr, &status);
  ASSERT_EQ(status, CL_SUCCESS);
  const auto other = make_buffer(context_, 64);
  const auto unmap = [&](cl_mem memory, void* at) {
    return clEnqueueUnmapMemObject(queue_, memory, at, 0, nullptr, nullptr);
  };
  EXPECT_EQ(unmap(buffer_, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(buffer_, static_cast<char*>(place) + 4), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(other, place), CL_INVALID_VALUE);
  EXPECT_EQ(unmap(buffer_, place), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(unmap(buffer_, place), CL_INVALID_VALUE);
}

// A buffer is neither image nor pipe.
TEST_F(ArgumentErrors, BuffersAreNoImages) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {4, 1, 1};
  EXPECT_EQ(clGetImageInfo(buffer_, CL_IMAGE_WIDTH, sizeof scratch, scratch, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetPipeInfo(buffer_, CL_PIPE_PACKET_SIZE, sizeof scratch, scratch, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueReadImage(queue_, buffer_, CL_TRUE, origin, region, 0, 0, scratch, 0, nullptr,
                               nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(
      clEnqueueCopyImage(queue_, buffer_, buffer_, origin, origin, region, 0, nullptr, nullptr),
      CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillImage(queue_, buffer_, scratch, origin, region, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
}

TEST_F(ArgumentErrors, ProgramsThatAreNotIL) {
  EXPECT_EQ(clSetProgramSpecializationConstant(program_, 0, 4, scratch), CL_INVALID_PROGRAM);
  EXPECT_EQ(clSetProgramReleaseCallback(program_, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramReleaseCallback(program_, ignore_program, nullptr), CL_INVALID_OPERATION);
}

TEST_F(ArgumentErrors, DefaultDeviceQueue) {
  cl_command_queue_properties can = 0;
  check(clGetDeviceInfo(device(), CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof can, &can, nullptr),
        "CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES");
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, nullptr, queue_), CL_INVALID_DEVICE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device(), queue_),
            can ? CL_INVALID_COMMAND_QUEUE : CL_INVALID_OPERATION);
}

TEST_F(ArgumentErrors, SubGroupInfo) {
  const auto query = [&](cl_uint name, size_t in_bytes, const void* in, size_t bytes) {
    return clGetKernelSubGroupInfo(kernel_, device(), name, in_bytes, in, bytes, scratch, nullptr);
  };
  cl_uint most = 0;
  check(clGetDeviceInfo(device(), CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, nullptr),
        "CL_DEVICE_MAX_NUM_SUB_GROUPS");
  const size_t local = 8;
  if (most == 0) {
    EXPECT_EQ(query(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof(size_t)),
              CL_INVALID_OPERATION);
    return;
  }
  EXPECT_EQ(query(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof(size_t)), CL_SUCCESS);
  EXPECT_EQ(query(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 1), CL_INVALID_VALUE);
  EXPECT_EQ(query(0x7777, 0, nullptr, sizeof(size_t)), CL_INVALID_VALUE);
  EXPECT_EQ(query(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, &local, sizeof(size_t)),
            CL_SUCCESS);
  EXPECT_EQ(query(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 3, &local, sizeof(size_t)),
            CL_INVALID_VALUE);
  EXPECT_EQ(query(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, nullptr, sizeof(size_t)),
            CL_INVALID_VALUE);
}

TEST(ArgumentErrorsFree, ContextsFromType) {
  cl_int status = CL_SUCCESS;
  const auto chosen = platform();
  const cl_context_properties unknown[] = {0x7777, 1, 0};
  const cl_context_properties twice[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(chosen), CL_CONTEXT_PLATFORM,
      reinterpret_cast<cl_context_properties>(chosen), 0};
  for (const auto* properties : {unknown, twice}) {
    const auto one = device();
    EXPECT_EQ(clCreateContext(properties, 1, &one, nullptr, nullptr, &status), nullptr);
    EXPECT_EQ(status, CL_INVALID_PROPERTY);
  }
  EXPECT_EQ(clCreateContextFromType(twice, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
}

} // namespace
} // namespace heddle::test
