// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_terminate_context: what ends, with which status, and what can still be called.
#include "harness.h"

#include <CL/cl_ext.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace conformance;

namespace {

using Terminate = cl_int(CL_API_CALL*)(cl_context);
using Clock = std::chrono::steady_clock;

// CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR, which headers may lack.
constexpr cl_bitfield kCanTerminateContexts = 1;

constexpr std::chrono::seconds kPatience(20); // for what is to happen at once

bool comes_true(const std::atomic<int>& value) {
  for (const auto end = Clock::now() + kPatience; value == 0 && Clock::now() < end;)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return value != 0;
}

// The context of the tests can be terminated.
class TerminateContext : public DeviceTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_terminate_context"))
      GTEST_SKIP() << "no cl_khr_terminate_context";
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(Target::get().platform),
        CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    cl_int error = CL_SUCCESS;
    context = Context(clCreateContext(
        properties, 1, &device,
        [](const char*, const void*, size_t, void* told) {
          ++*static_cast<std::atomic<int>*>(told);
        },
        &told, &error));
    ASSERT_CL(error);
    queue = make_queue(CL_QUEUE_PROFILING_ENABLE);
    terminate = reinterpret_cast<Terminate>(
        clGetExtensionFunctionAddressForPlatform(Target::get().platform, "clTerminateContextKHR"));
    ASSERT_NE(terminate, nullptr);
  }
  static cl_int status(const Event& event) {
    return info<cl_int>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS);
  }

  std::atomic<int> told{0};
  Terminate terminate = nullptr;
};

TEST_F(TerminateContext, Queries) {
  SPEC("API, Querying Devices: CL_DEVICE_TERMINATE_CAPABILITY_KHR; clGetContextInfo");
  EXPECT_NE(info<cl_bitfield>(clGetDeviceInfo, device, CL_DEVICE_TERMINATE_CAPABILITY_KHR) &
                kCanTerminateContexts,
            0u);
  const auto properties =
      info_array<cl_context_properties>(clGetContextInfo, context.get(), CL_CONTEXT_PROPERTIES);
  ASSERT_EQ(properties.size(), 5u);
  EXPECT_EQ(properties[2], CL_CONTEXT_TERMINATE_KHR);
  EXPECT_EQ(properties[3], CL_TRUE);
}

TEST_F(TerminateContext, Errors) {
  SPEC("API, clTerminateContextKHR: errors");
  EXPECT_EQ(terminate(nullptr), CL_INVALID_CONTEXT);
  cl_int error = CL_SUCCESS;
  const Context plain(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(terminate(plain), CL_INVALID_OPERATION);
  EXPECT_CL(terminate(context));
  EXPECT_EQ(terminate(context), CL_CONTEXT_TERMINATED_KHR);
}

TEST_F(TerminateContext, CommandsThatHaveNotBegun) {
  SPEC("API, clTerminateContextKHR: the execution status of enqueued commands");
  const auto memory = make_buffer(std::vector<cl_int>(16, 1));
  cl_int error = CL_SUCCESS;
  const Event user(clCreateUserEvent(context, &error));
  ASSERT_CL(error);
  Event copied, marked;
  ASSERT_CL(clEnqueueCopyBuffer(queue, memory, memory, 0, 32, 32, 1, user.ptr(), copied.out()));
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, nullptr, marked.out()));
  std::atomic<int> heard{0};
  const auto hear = [](cl_event, cl_int with, void* heard_by) {
    static_cast<std::atomic<int>*>(heard_by)->store(with);
  };
  ASSERT_CL(clSetEventCallback(copied, CL_COMPLETE, hear, &heard));
  ASSERT_CL(terminate(context));
  EXPECT_NE(clWaitForEvents(1, copied.ptr()), CL_SUCCESS);
  EXPECT_NE(clWaitForEvents(1, marked.ptr()), CL_SUCCESS);
  EXPECT_EQ(status(copied), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(status(marked), CL_CONTEXT_TERMINATED_KHR);
  ASSERT_TRUE(comes_true(heard));
  EXPECT_EQ(heard, CL_CONTEXT_TERMINATED_KHR);
  ASSERT_TRUE(comes_true(told));
  EXPECT_EQ(told, 1);
  cl_ulong time = 0;
  EXPECT_EQ(clGetEventProfilingInfo(copied, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  // A callback that is registered later is called, too.
  std::atomic<int> heard_later{0};
  ASSERT_CL(clSetEventCallback(marked, CL_COMPLETE, hear, &heard_later));
  ASSERT_TRUE(comes_true(heard_later));
  EXPECT_EQ(heard_later, CL_CONTEXT_TERMINATED_KHR);
  EXPECT_CL(clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_EQ(status(copied), CL_CONTEXT_TERMINATED_KHR);
}

TEST_F(TerminateContext, KernelsThatRun) {
  SPEC("API, clTerminateContextKHR: commands currently executing");
  const auto kernel = make_kernel("kernel void endless(global volatile int* x) {"
                                  "  x[0] = 1; while (x[1] == 0) {} x[2] = 1; }",
                                  "endless");
  std::vector<cl_int> seen(3, 0);
  const auto memory = make_buffer(seen.size() * sizeof(cl_int),
                                  CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, seen.data());
  set_arguments(kernel, memory);
  const size_t one = 1;
  Event running, behind;
  ASSERT_CL(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, running.out()));
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, nullptr, behind.out()));
  ASSERT_CL(clFlush(queue));
  for (const auto end = Clock::now() + kPatience; status(running) > CL_RUNNING;) {
    ASSERT_LT(Clock::now(), end);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_CL(terminate(context));
  EXPECT_NE(clWaitForEvents(1, running.ptr()), CL_SUCCESS);
  EXPECT_NE(clWaitForEvents(1, behind.ptr()), CL_SUCCESS);
  EXPECT_EQ(status(running), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(status(behind), CL_CONTEXT_TERMINATED_KHR);
}

TEST_F(TerminateContext, WhatCompletedStaysComplete) {
  SPEC("API, clTerminateContextKHR: pending work");
  Event marked;
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, nullptr, marked.out()));
  ASSERT_CL(clFinish(queue));
  ASSERT_CL(terminate(context));
  EXPECT_EQ(status(marked), CL_COMPLETE);
}

TEST_F(TerminateContext, CallsThatMakeObjectsOrCommands) {
  SPEC("API, clTerminateContextKHR: all calls that create objects or enqueue commands");
  const auto kernel = make_kernel("kernel void k(global int* x) { *x = 1; }", "k");
  const auto memory = make_buffer(std::vector<cl_int>(16, 1));
  set_arguments(kernel, memory);
  ASSERT_CL(terminate(context));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateBuffer(context, 0, 16, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clCreateUserEvent(context, &error), nullptr);
  EXPECT_EQ(error, CL_CONTEXT_TERMINATED_KHR);
  const char* text = "kernel void k() {}";
  EXPECT_EQ(clCreateProgramWithSource(context, 1, &text, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_CONTEXT_TERMINATED_KHR);
  if (version >= 200) {
    EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, nullptr, &error), nullptr);
    EXPECT_EQ(error, CL_CONTEXT_TERMINATED_KHR);
  }
  const size_t one = 1;
  Event event;
  EXPECT_EQ(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out()),
      CL_CONTEXT_TERMINATED_KHR);
  cl_int value = 0;
  EXPECT_EQ(
      clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
      CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, nullptr), CL_CONTEXT_TERMINATED_KHR);
}

TEST_F(TerminateContext, QueriesRetainsAndReleasesGoOn) {
  SPEC("API, clTerminateContextKHR: queries, retain and release operations");
  auto memory = make_buffer(std::vector<cl_int>(16, 1));
  ASSERT_CL(terminate(context));
  EXPECT_EQ(info<cl_uint>(clGetContextInfo, context.get(), CL_CONTEXT_NUM_DEVICES), 1u);
  EXPECT_CL(clRetainContext(context));
  EXPECT_CL(clReleaseContext(context));
  EXPECT_EQ(info<size_t>(clGetMemObjectInfo, memory.get(), CL_MEM_SIZE), 64u);
  std::atomic<int> is_gone{0};
  ASSERT_CL(clSetMemObjectDestructorCallback(
      memory, [](cl_mem, void* gone) { *static_cast<std::atomic<int>*>(gone) = 1; }, &is_gone));
  EXPECT_CL(clRetainMemObject(memory));
  EXPECT_CL(clReleaseMemObject(memory));
  memory.reset();
  EXPECT_TRUE(comes_true(is_gone));
}

TEST_F(TerminateContext, OtherContextsGoOn) {
  SPEC("API, clTerminateContextKHR: work associated with the context");
  ASSERT_CL(terminate(context));
  cl_int error = CL_SUCCESS;
  context = Context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  queue = make_queue(0);
  const auto kernel =
      make_kernel("kernel void k(global int* x) { x[get_global_id(0)] += 1; }", "k");
  const auto memory = make_buffer(std::vector<cl_int>(16, 1));
  set_arguments(kernel, memory);
  run(kernel, {16});
  EXPECT_EQ(read<cl_int>(memory, 16), std::vector<cl_int>(16, 2));
}

} // namespace
