// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command-queues: properties, queries, errors and the order of commands.
#include "harness.h"

#include <numeric>

using namespace conformance;

namespace {

class Queues : public DeviceTest {
 protected:
  cl_command_queue_properties supported() {
    return info<cl_command_queue_properties>(clGetDeviceInfo, device,
                                             CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
  }
};

TEST_F(Queues, Queries) {
  SPEC("API, Command-Queues: clGetCommandQueueInfo");
  const cl_command_queue q = queue;
  EXPECT_EQ(info<cl_context>(clGetCommandQueueInfo, q, CL_QUEUE_CONTEXT), context.get());
  EXPECT_EQ(info<cl_device_id>(clGetCommandQueueInfo, q, CL_QUEUE_DEVICE), device);
  EXPECT_EQ(info<cl_uint>(clGetCommandQueueInfo, q, CL_QUEUE_REFERENCE_COUNT), 1u);
  EXPECT_EQ(info<cl_command_queue_properties>(clGetCommandQueueInfo, q, CL_QUEUE_PROPERTIES),
            cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE));
  EXPECT_CL(clRetainCommandQueue(q));
  EXPECT_EQ(info<cl_uint>(clGetCommandQueueInfo, q, CL_QUEUE_REFERENCE_COUNT), 2u);
  EXPECT_CL(clReleaseCommandQueue(q));
  cl_uint value = 0;
  EXPECT_EQ(clGetCommandQueueInfo(q, 0x7777, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, 1, &value, nullptr), CL_INVALID_VALUE);
}

TEST_F(Queues, WithProperties) {
  SPEC("API, Command-Queues: clCreateCommandQueueWithProperties");
  if (version < 200)
    GTEST_SKIP();
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_int error = CL_SUCCESS;
  Queue q(clCreateCommandQueueWithProperties(context, device, properties, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info<cl_command_queue_properties>(clGetCommandQueueInfo, q.get(), CL_QUEUE_PROPERTIES),
            cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE));
  if (version >= 300) {
    EXPECT_EQ(
        info_array<cl_queue_properties>(clGetCommandQueueInfo, q.get(), CL_QUEUE_PROPERTIES_ARRAY),
        std::vector<cl_queue_properties>(properties, properties + 3));
  }
  Queue plain(clCreateCommandQueueWithProperties(context, device, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(
      info<cl_command_queue_properties>(clGetCommandQueueInfo, plain.get(), CL_QUEUE_PROPERTIES),
      0u);
}

TEST_F(Queues, WithPropertiesByTheExtensionsName) {
  SPEC("API, Command-Queues: clCreateCommandQueueWithPropertiesKHR");
  if (!has_extension("cl_khr_create_command_queue"))
    GTEST_SKIP() << "no cl_khr_create_command_queue";
  using Create =
      cl_command_queue(CL_API_CALL*)(cl_context, cl_device_id, const cl_properties*, cl_int*);
  const auto create = reinterpret_cast<Create>(clGetExtensionFunctionAddressForPlatform(
      Target::get().platform, "clCreateCommandQueueWithPropertiesKHR"));
  ASSERT_NE(create, nullptr);
  cl_int error = CL_SUCCESS;
  for (const cl_command_queue_properties flags : {cl_command_queue_properties(0), supported()}) {
    const cl_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
    const Queue made(create(context, device, properties, &error));
    ASSERT_CL(error);
    EXPECT_EQ(
        info<cl_command_queue_properties>(clGetCommandQueueInfo, made.get(), CL_QUEUE_PROPERTIES),
        flags);
    EXPECT_EQ(info<cl_context>(clGetCommandQueueInfo, made.get(), CL_QUEUE_CONTEXT), context.get());
    ASSERT_CL(clFinish(made));
  }
  const Queue plain(create(context, device, nullptr, &error));
  ASSERT_CL(error);
  const cl_properties unknown[] = {0x7777, 1, 0};
  EXPECT_EQ(create(context, device, unknown, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(create(nullptr, device, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(create(context, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
}

TEST_F(Queues, CreationErrors) {
  SPEC("API, Command-Queues: errors of clCreateCommandQueueWithProperties");
  if (version < 200)
    GTEST_SKIP();
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateCommandQueueWithProperties(nullptr, device, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  const cl_queue_properties unknown_name[] = {0x7777, 1, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, unknown_name, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const cl_queue_properties unknown_bit[] = {CL_QUEUE_PROPERTIES, cl_queue_properties(1) << 40, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, unknown_bit, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(Queues, FlushAndFinishErrors) {
  SPEC("API, Flush and Finish");
  EXPECT_EQ(clFlush(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFinish(nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_CL(clFlush(queue));
  EXPECT_CL(clFinish(queue));
}

const char* const kAppend = R"(
kernel void append(global int* list, int value) { list[1 + list[0]] = value; list[0] = list[0] + 1; }
)";

TEST_F(Queues, InOrderQueueKeepsTheOrder) {
  SPEC("API, Command-Queues and Execution Model: commands of an in-order queue complete in the "
       "order of enqueueing");
  Kernel kernel = make_kernel(kAppend, "append");
  Memory list = make_buffer(std::vector<cl_int>(301, 0));
  const size_t one = 1;
  for (cl_int value = 0; value < 300; ++value) {
    set_arguments(kernel, list, value); // captured at enqueue: API, Setting Kernel Arguments
    ASSERT_CL(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  }
  const auto result = read<cl_int>(list, 301);
  EXPECT_EQ(result[0], 300);
  for (int i = 0; i < 300; ++i)
    ASSERT_EQ(result[1 + i], i);
}

TEST_F(Queues, OutOfOrderQueueKeepsTheOrderOfEvents) {
  SPEC("API, Out-of-Order Execution of Kernels and Memory Object Commands");
  if (!(supported() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    GTEST_SKIP();
  Queue out_of_order = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Kernel kernel = make_kernel(kAppend, "append");
  Memory list = make_buffer(std::vector<cl_int>(101, 0));
  const size_t one = 1;
  Event last;
  for (cl_int value = 0; value < 100; ++value) {
    set_arguments(kernel, list, value);
    Event next;
    ASSERT_CL(clEnqueueNDRangeKernel(out_of_order, kernel, 1, nullptr, &one, nullptr, value ? 1 : 0,
                                     value ? last.ptr() : nullptr, next.out()));
    last = std::move(next);
  }
  ASSERT_CL(clFinish(out_of_order));
  const auto result = read<cl_int>(list, 101);
  EXPECT_EQ(result[0], 100);
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(result[1 + i], i);
}

TEST_F(Queues, OutOfOrderCommandsDoNotWaitForABlockedOne) {
  SPEC("API, Out-of-Order Execution: no order but that of event wait lists and barriers");
  if (!(supported() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    GTEST_SKIP();
  Queue out_of_order = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_int error = CL_SUCCESS;
  Event gate(clCreateUserEvent(context, &error));
  ASSERT_CL(error);
  Memory a = make_buffer(16), b = make_buffer(16);
  const cl_int one = 1, two = 2;
  Event blocked, released;
  ASSERT_CL(clEnqueueFillBuffer(out_of_order, a, &one, 4, 0, 16, 1, gate.ptr(), blocked.out()));
  ASSERT_CL(clEnqueueFillBuffer(out_of_order, b, &two, 4, 0, 16, 0, nullptr, released.out()));
  ASSERT_CL(clWaitForEvents(1, released.ptr()));
  EXPECT_GT(info<cl_int>(clGetEventInfo, blocked.get(), CL_EVENT_COMMAND_EXECUTION_STATUS),
            CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(out_of_order));
  EXPECT_EQ(read<cl_int>(a, 4), std::vector<cl_int>(4, 1));
  EXPECT_EQ(read<cl_int>(b, 4), std::vector<cl_int>(4, 2));
}

TEST_F(Queues, CommandsAcrossQueuesAreOrderedByEvents) {
  SPEC("API, Event Objects: wait lists may name commands of other queues of the context");
  Queue second = make_queue(0);
  Memory buffer = make_buffer(4096);
  Event filled, copied;
  Memory copy = make_buffer(4096);
  const cl_int value = 77;
  ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &value, 4, 0, 4096, 0, nullptr, filled.out()));
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clEnqueueCopyBuffer(second, buffer, copy, 0, 0, 4096, 1, filled.ptr(), copied.out()));
  ASSERT_CL(clFlush(second));
  std::vector<cl_int> result(1024);
  ASSERT_CL(
      clEnqueueReadBuffer(queue, copy, CL_TRUE, 0, 4096, result.data(), 1, copied.ptr(), nullptr));
  EXPECT_EQ(result, std::vector<cl_int>(1024, 77));
}

} // namespace
