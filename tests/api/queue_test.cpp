// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command queues (OpenCL API 5.1): creation, queries, order of execution, profiling.
#include "tests/api/api_test.h"

#include <string>
#include <unistd.h>

namespace heddle::test {
namespace {

class QueueTest : public ApiTest {};

TEST_F(QueueTest, CreateErrors) {
  cl_int status = 1;
  EXPECT_EQ(clCreateCommandQueue(context_, device(), cl_command_queue_properties{1} << 60, &status),
            nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  const cl_queue_properties unknown[] = {0x7abc, 1, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_, device(), unknown, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  const cl_queue_properties bits[] = {CL_QUEUE_PROPERTIES, cl_queue_properties{1} << 60, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_, device(), bits, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  // A device queue is out of order (5.1).
  const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_, device(), on_device, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  const cl_queue_properties size_of_host_queue[] = {CL_QUEUE_SIZE, 1024, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_, device(), size_of_host_queue, &status),
            nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(QueueTest, Info) {
  const cl_queue_properties given[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int status = 1;
  Queue queue(clCreateCommandQueueWithProperties(context_, device(), given, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  for (const cl_uint name :
       {CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_REFERENCE_COUNT, CL_QUEUE_PROPERTIES,
        CL_QUEUE_PROPERTIES_ARRAY, CL_QUEUE_DEVICE_DEFAULT})
    expect_info_contract([&](auto... a) { return clGetCommandQueueInfo(queue, a...); }, name);
  EXPECT_EQ(clGetCommandQueueInfo(queue, 0x7fff1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  cl_command_queue_properties flags = 0;
  ASSERT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(flags, given[1]);
  cl_queue_properties array[3] = {};
  size_t size = 0;
  ASSERT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof array, array, &size),
            CL_SUCCESS);
  EXPECT_EQ(size, sizeof given);
  EXPECT_TRUE(std::equal(given, given + 3, array));
  // Created without properties: an empty array.
  ASSERT_EQ(clGetCommandQueueInfo(queue_, CL_QUEUE_PROPERTIES_ARRAY, 0, nullptr, &size),
            CL_SUCCESS);
  EXPECT_EQ(size, 0u);
}

// Ten thousand commands of an in-order queue whose result depends on their order.
TEST_F(QueueTest, InOrder) {
  const auto program =
      build(context_, R"(kernel void advance(global uint* x, uint n) { *x = *x * 3 + n; })");
  const auto kernel = make_kernel(program, "advance");
  const cl_uint zero = 0;
  const auto buffer = make_buffer(context_, 4, &zero);
  cl_uint expected = 0;
  for (cl_uint n = 0; n != 10000; ++n) {
    set_args(kernel, buffer, n);
    ASSERT_EQ(enqueue(queue_, kernel, {{1}, {}, {}}), CL_SUCCESS);
    expected = expected * 3 + n;
  }
  EXPECT_EQ(read<cl_uint>(queue_, buffer, 1)[0], expected);
}

// The same with events on an out-of-order queue.
TEST_F(QueueTest, OutOfOrderWithEvents) {
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto program =
      build(context_, R"(kernel void advance(global uint* x, uint n) { *x = *x * 3 + n; })");
  const auto kernel = make_kernel(program, "advance");
  const cl_uint zero = 0;
  const auto buffer = make_buffer(context_, 4, &zero);
  cl_uint expected = 0;
  Event last;
  for (cl_uint n = 0; n != 3000; ++n) {
    set_args(kernel, buffer, n);
    Event next;
    std::vector<cl_event> waits;
    if (last)
      waits.push_back(last);
    ASSERT_EQ(enqueue(queue, kernel, {{1}, {}, {}}, next.out(), waits), CL_SUCCESS);
    last = std::move(next);
    expected = expected * 3 + n;
  }
  ASSERT_EQ(clWaitForEvents(1, last.address()), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(queue, buffer, 1)[0], expected);
}

TEST_F(QueueTest, BarrierOrdersAnOutOfOrderQueue) {
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto program = build(context_, R"(
    kernel void add(global int* x) { atomic_inc(x); }
    kernel void snapshot(global int* x, global int* at, int n) { at[n] = *x; })");
  const auto add = make_kernel(program, "add");
  const auto snapshot = make_kernel(program, "snapshot");
  const auto sum = make_buffer(context_, 4, std::vector<cl_int>(1).data());
  const auto at = make_buffer(context_, 4 * 50);
  set_args(add, sum);
  for (cl_int round = 0; round != 50; ++round) {
    for (int i = 0; i != 8; ++i)
      ASSERT_EQ(enqueue(queue, add, {{100}, {}, {}}), CL_SUCCESS);
    ASSERT_EQ(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), CL_SUCCESS);
    set_args(snapshot, sum, at, round);
    ASSERT_EQ(enqueue(queue, snapshot, {{1}, {}, {}}), CL_SUCCESS);
    ASSERT_EQ(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), CL_SUCCESS);
  }
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  const auto seen = read<cl_int>(queue, at, 50);
  for (int round = 0; round != 50; ++round)
    ASSERT_EQ(seen[round], 800 * (round + 1));
}

TEST_F(QueueTest, ProfilingTimesAreOrdered) {
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  const auto program =
      build(context_, "kernel void k(global int* x) { x[get_global_id(0)] += 1; }");
  const auto kernel = make_kernel(program, "k");
  const auto buffer = make_buffer(context_, 4096 * 4, std::vector<cl_int>(4096).data());
  set_args(kernel, buffer);
  Event first, second;
  ASSERT_EQ(enqueue(queue, kernel, {{4096}, {}, {}}, first.out()), CL_SUCCESS);
  ASSERT_EQ(enqueue(queue, kernel, {{4096}, {}, {}}, second.out()), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  for (const cl_event event : {first.get(), second.get()}) {
    const auto queued = profiling(event, CL_PROFILING_COMMAND_QUEUED);
    const auto submitted = profiling(event, CL_PROFILING_COMMAND_SUBMIT);
    const auto started = profiling(event, CL_PROFILING_COMMAND_START);
    const auto ended = profiling(event, CL_PROFILING_COMMAND_END);
    EXPECT_GT(queued, 0u);
    EXPECT_LE(queued, submitted);
    EXPECT_LE(submitted, started);
    EXPECT_LE(started, ended);
    EXPECT_LE(ended, profiling(event, CL_PROFILING_COMMAND_COMPLETE));
    expect_info_contract([&](auto... a) { return clGetEventProfilingInfo(event, a...); },
                         CL_PROFILING_COMMAND_START);
    EXPECT_EQ(clGetEventProfilingInfo(event, 0x7fff1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  }
  EXPECT_LE(profiling(first, CL_PROFILING_COMMAND_END),
            profiling(second, CL_PROFILING_COMMAND_START));
}

// A launch that waits for its kernel's build is queued when it is enqueued, and starts after that.
TEST_F(QueueTest, ProfilingCountsAnAwaitedBuildAsQueued) {
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  // The cache has no kernel with the number of this process.
  std::string text = "kernel void k(global int* x) { size_t i = get_global_id(0);\n";
  for (int i = 0; i != 300; ++i)
    text += "  x[i] = x[i] * " + std::to_string(getpid() + i) + " + x[(i + x[i]) & 4095];\n";
  const auto program = build(context_, (text + "}").c_str());
  const auto kernel = make_kernel(program, "k");
  const auto buffer = make_buffer(context_, 4096 * 4, std::vector<cl_int>(4096).data());
  set_args(kernel, buffer);
  size_t largest = 0; // a program that asks for it may tune itself: its launches wait
  ASSERT_EQ(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof largest,
                                     &largest, nullptr),
            CL_SUCCESS);
  cl_ulong before = 0, after = 0;
  ASSERT_EQ(clGetHostTimer(device(), &before), CL_SUCCESS);
  Event event;
  ASSERT_EQ(enqueue(queue, kernel, {{16}, {1}, {}}, event.out()), CL_SUCCESS);
  ASSERT_EQ(clGetHostTimer(device(), &after), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  const auto queued = profiling(event, CL_PROFILING_COMMAND_QUEUED);
  EXPECT_GE(queued, before);
  EXPECT_LT(queued - before, (after - before) / 2);
  EXPECT_LE(queued, profiling(event, CL_PROFILING_COMMAND_SUBMIT));
  EXPECT_GE(profiling(event, CL_PROFILING_COMMAND_START), after - (after - before) / 2);
}

TEST_F(QueueTest, ProfilingIsNotAvailable) {
  cl_ulong value = 0;
  Event marker;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue_, 0, nullptr, marker.out()), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(
      clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_START, sizeof value, &value, nullptr),
      CL_PROFILING_INFO_NOT_AVAILABLE);
  cl_int status = 1;
  Event user(clCreateUserEvent(context_, &status));
  EXPECT_EQ(
      clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_START, sizeof value, &value, nullptr),
      CL_PROFILING_INFO_NOT_AVAILABLE);
  // Enabled, but the command has not completed.
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  Event held;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, user.address(), held.out()), CL_SUCCESS);
  EXPECT_EQ(clGetEventProfilingInfo(held, CL_PROFILING_COMMAND_END, sizeof value, &value, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  ASSERT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
}

// After the last reference to a queue is released, its pending commands run to completion (5.1).
TEST_F(QueueTest, ReleasedWithCommandsInFlight) {
  const auto program =
      build(context_, "kernel void k(global int* x) { x[get_global_id(0)] += 1; }");
  const auto kernel = make_kernel(program, "k");
  const auto buffer = make_buffer(context_, 1024 * 4, std::vector<cl_int>(1024).data());
  set_args(kernel, buffer);
  Event last;
  {
    const auto queue = make_queue(context_);
    for (int i = 0; i != 100; ++i)
      ASSERT_EQ(enqueue(queue, kernel, {{1024}, {}, {}}, last.out()), CL_SUCCESS);
  }
  ASSERT_EQ(clWaitForEvents(1, last.address()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(queue_, buffer, 1024), std::vector<cl_int>(1024, 100));
}

// Memory, kernel and program are released while commands that use them are pending.
TEST_F(QueueTest, ObjectsReleasedWhileCommandsWait) {
  cl_int status = 1;
  Event gate(clCreateUserEvent(context_, &status));
  const auto result = make_buffer(context_, 4, std::vector<cl_int>(1).data());
  {
    auto program =
        build(context_, "kernel void k(global int* x, global int* y) { y[0] = x[0] + x[1]; }");
    const auto kernel = make_kernel(program, "k");
    const cl_int values[] = {40, 2};
    const auto buffer = make_buffer(context_, sizeof values, values);
    set_args(kernel, buffer, result);
    ASSERT_EQ(enqueue(queue_, kernel, {{1}, {}, {}}, nullptr, {gate}), CL_SUCCESS);
  }
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(queue_, result, 1)[0], 42);
}

} // namespace
} // namespace heddle::test
