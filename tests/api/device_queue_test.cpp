// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device queues (OpenCL API 5.1): creation, defaults, queries, and what the host cannot do with
// them.
#include "tests/api/device_queue.h"

namespace heddle::test {
namespace {

class DeviceQueueTest : public DeviceEnqueueTest {};

cl_int create_status(cl_context context, std::vector<cl_queue_properties> properties) {
  cl_int status = 1;
  const Queue queue(
      clCreateCommandQueueWithProperties(context, device(), properties.data(), &status));
  EXPECT_EQ(queue.get() != nullptr, status == CL_SUCCESS);
  return status;
}

cl_command_queue default_of(cl_command_queue queue) {
  cl_command_queue current = nullptr;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof(current), &current, nullptr),
        "clGetCommandQueueInfo");
  return current;
}

TEST_F(DeviceQueueTest, DeviceQueries) {
  const auto capabilities =
      info<cl_device_device_enqueue_capabilities>(device(), CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES);
  EXPECT_EQ(capabilities,
            cl_bitfield{CL_DEVICE_QUEUE_SUPPORTED} | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT);
  const auto preferred = info<cl_uint>(device(), CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE);
  EXPECT_GE(preferred, 16u << 10);
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE),
            std::max(preferred, 256u << 10));
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_MAX_ON_DEVICE_EVENTS), 1024u);
  EXPECT_EQ(info<cl_command_queue_properties>(device(), CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES),
            cl_bitfield{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE} | CL_QUEUE_PROFILING_ENABLE);
}

TEST_F(DeviceQueueTest, CreateErrors) {
  const auto most = info<cl_uint>(device(), CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  // In order; a default queue of the host; sizes.
  EXPECT_EQ(create_status(context_, {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}),
            CL_INVALID_VALUE);
  EXPECT_EQ(create_status(context_,
                          {CL_QUEUE_PROPERTIES,
                           CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}),
            CL_INVALID_VALUE);
  EXPECT_EQ(create_status(context_, {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, 0, 0}),
            CL_INVALID_QUEUE_PROPERTIES);
  EXPECT_EQ(create_status(context_, {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE,
                                     cl_queue_properties{most} + 1, 0}),
            CL_INVALID_QUEUE_PROPERTIES);
  EXPECT_EQ(create_status(context_, {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, most, 0}),
            CL_SUCCESS);
  cl_int status = 1;
  EXPECT_EQ(clCreateCommandQueue(context_, device(), kOnDevice, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(DeviceQueueTest, Info) {
  const auto queue = make_device_queue(context_, CL_QUEUE_PROFILING_ENABLE, 20000);
  for (const cl_uint name :
       {CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_REFERENCE_COUNT, CL_QUEUE_PROPERTIES,
        CL_QUEUE_PROPERTIES_ARRAY, CL_QUEUE_SIZE, CL_QUEUE_DEVICE_DEFAULT})
    expect_info_contract([&](auto... a) { return clGetCommandQueueInfo(queue, a...); }, name);
  cl_uint bytes = 0;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof bytes, &bytes, nullptr), "size");
  EXPECT_EQ(bytes, 20000u);
  check(clGetCommandQueueInfo(default_queue_, CL_QUEUE_SIZE, sizeof bytes, &bytes, nullptr), "");
  EXPECT_EQ(bytes, info<cl_uint>(device(), CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
  cl_command_queue_properties flags = 0;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags, nullptr), "flags");
  EXPECT_EQ(flags, kOnDevice | CL_QUEUE_PROFILING_ENABLE);
  EXPECT_EQ(clRetainCommandQueue(queue), CL_SUCCESS);
  cl_uint count = 0;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, nullptr), "");
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
}

TEST_F(DeviceQueueTest, Defaults) {
  EXPECT_EQ(default_of(queue_), default_queue_.get());
  // Asked for a second default, the user gets the first one again.
  auto same = make_device_queue(context_, CL_QUEUE_ON_DEVICE_DEFAULT);
  EXPECT_EQ(same.get(), default_queue_.get());
  cl_uint count = 0;
  check(clGetCommandQueueInfo(same, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, nullptr), "");
  EXPECT_EQ(count, 2u);
  auto other = make_device_queue(context_);
  EXPECT_EQ(default_of(other), default_queue_.get());
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device(), other), CL_SUCCESS);
  EXPECT_EQ(default_of(queue_), other.get());
  other.reset();
  EXPECT_EQ(default_of(queue_), nullptr);
  const auto elsewhere = make_context();
  const auto foreign = make_device_queue(elsewhere);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device(), foreign), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device(), queue_), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, device(), nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(nullptr, device(), same), CL_INVALID_CONTEXT);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context_, nullptr, same), CL_INVALID_DEVICE);
}

// Commands of the host need a queue of the host.
TEST_F(DeviceQueueTest, IsNoHostQueue) {
  const auto buffer = make_buffer(context_, 16);
  const auto kernel = make_kernel(build(context_, "kernel void k() {}"), "k");
  int value = 0;
  EXPECT_EQ(clEnqueueReadBuffer(default_queue_, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(enqueue(default_queue_, kernel, {{1}, {}, {}}), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(default_queue_, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFlush(default_queue_), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFinish(default_queue_), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(DeviceQueueTest, KernelArgument) {
  const auto program = build(
      context_,
      "kernel void k(queue_t q, global int* out) {"
      "  *out = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 7; });"
      "}",
      "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context_, 8);
  const cl_command_queue none = nullptr;
  const cl_command_queue of_host = queue_;
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, default_queue_.address()), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof none, &none), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof none, nullptr), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof of_host, &of_host), CL_INVALID_DEVICE_QUEUE);
  auto queue = make_device_queue(context_);
  ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_command_queue), queue.address()), CL_SUCCESS);
  ASSERT_EQ(set_arg(kernel, 1, out), CL_SUCCESS);
  // A launch keeps the queue.
  ASSERT_EQ(enqueue(queue_, kernel, {{1}, {}, {}}), CL_SUCCESS);
  queue.reset();
  const auto values = read<cl_int>(queue_, out, 2);
  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 7);
  EXPECT_EQ(enqueue(queue_, kernel, {{1}, {}, {}}), CL_INVALID_KERNEL_ARGS);
  // The blocks of a program are no kernels of it.
  size_t count = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr), "count");
  EXPECT_EQ(count, 1u);
  char names[64] = {};
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr), "names");
  EXPECT_STREQ(names, "k");
  cl_uint made = 0;
  check(clCreateKernelsInProgram(program, 0, nullptr, &made), "clCreateKernelsInProgram");
  EXPECT_EQ(made, 1u);
}

// Kernels that always have children ready let commands of other queues run.
TEST_F(DeviceQueueTest, ChildrenLetTheHostRun) {
  constexpr cl_int kMost = 2'000'000;
  const auto program = build(context_, R"(
    void step(volatile global atomic_int* state, int most) {
      if (atomic_load(state) == 0 && atomic_fetch_add(state + 1, 1) < most)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ step(state, most); });
    }
    kernel void k(volatile global atomic_int* state, int most) { step(state, most); })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const auto queue = make_device_queue(context_, CL_QUEUE_ON_DEVICE_DEFAULT);
  const cl_int zeros[2] = {}, one = 1;
  const auto state = make_buffer(context_, sizeof zeros, zeros);
  set_args(kernel, state, kMost);
  check(enqueue(queue_, kernel, {{64}, {1}, {}}), "64 chains");
  check(clFlush(queue_), "clFlush");
  const auto other = make_queue(context_);
  check(clEnqueueFillBuffer(other, state, &one, sizeof one, 0, sizeof one, 0, nullptr, nullptr),
        "fill");
  check(clFlush(other), "clFlush");
  check(clFinish(queue_), "clFinish");
  EXPECT_LT(read<cl_int>(queue_, state, 2)[1], kMost) << "the chains ran to their end";
}

} // namespace
} // namespace heddle::test
