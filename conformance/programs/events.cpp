// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: states, callbacks, user events, propagated failures, markers and barriers, profiling.
#include "harness.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace conformance;

namespace {

class Events : public DeviceTest {
 protected:
  Event make_user_event() {
    cl_int error = CL_SUCCESS;
    Event event(clCreateUserEvent(context, &error));
    EXPECT_CL(error);
    return event;
  }
  Event enqueue_fill(cl_mem buffer, cl_int value, const std::vector<cl_event>& wait_for = {}) {
    Event event;
    EXPECT_CL(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, 64,
                                  cl_uint(wait_for.size()),
                                  wait_for.empty() ? nullptr : wait_for.data(), event.out()));
    return event;
  }
  static cl_int status(cl_event event) {
    return info<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
  }
  Memory buffer_;
  void SetUp() override {
    DeviceTest::SetUp();
    buffer_ = make_buffer(64);
  }
};

// Callbacks are asynchronous: they may be called after the wait has returned.
template <class Condition>
bool eventually(Condition condition) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

TEST_F(Events, Queries) {
  SPEC("API, Event Objects: clGetEventInfo");
  Event event = enqueue_fill(buffer_, 1);
  EXPECT_EQ(info<cl_command_queue>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_QUEUE),
            queue.get());
  EXPECT_EQ(info<cl_context>(clGetEventInfo, event.get(), CL_EVENT_CONTEXT), context.get());
  EXPECT_EQ(info<cl_command_type>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_TYPE),
            cl_command_type(CL_COMMAND_FILL_BUFFER));
  ASSERT_CL(clWaitForEvents(1, event.ptr()));
  EXPECT_EQ(status(event), CL_COMPLETE);
  cl_int value = 0;
  EXPECT_EQ(clGetEventInfo(event, 0x7777, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetEventInfo(nullptr, CL_EVENT_CONTEXT, sizeof value, &value, nullptr),
            CL_INVALID_EVENT);
}

TEST_F(Events, UserEventLife) {
  SPEC("API, Event Objects: clCreateUserEvent and clSetUserEventStatus");
  Event event = make_user_event();
  EXPECT_EQ(status(event), CL_SUBMITTED);
  EXPECT_EQ(info<cl_command_queue>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_QUEUE), nullptr);
  EXPECT_EQ(info<cl_command_type>(clGetEventInfo, event.get(), CL_EVENT_COMMAND_TYPE),
            cl_command_type(CL_COMMAND_USER));
  EXPECT_EQ(clSetUserEventStatus(event, CL_RUNNING), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(event, 17), CL_INVALID_VALUE);
  EXPECT_CL(clSetUserEventStatus(event, CL_COMPLETE));
  EXPECT_EQ(status(event), CL_COMPLETE);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
  EXPECT_EQ(clSetUserEventStatus(event, -5), CL_INVALID_OPERATION);
  EXPECT_EQ(status(event), CL_COMPLETE);
  Event command = enqueue_fill(buffer_, 1);
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(clSetUserEventStatus(command, CL_COMPLETE), CL_INVALID_EVENT);
}

TEST_F(Events, CommandsWaitForUserEvents) {
  SPEC("API, Event Objects: a command waits for every event of its wait list");
  Event first = make_user_event(), second = make_user_event();
  Event command = enqueue_fill(buffer_, 5, {first, second});
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clSetUserEventStatus(second, CL_COMPLETE));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GT(status(command), CL_RUNNING);
  ASSERT_CL(clSetUserEventStatus(first, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, command.ptr()));
  EXPECT_EQ(read<cl_int>(buffer_, 16), std::vector<cl_int>(16, 5));
}

TEST_F(Events, FailureIsPassedOn) {
  SPEC("API, Event Objects: an event with a negative status ends what waits for it");
  Event gate = make_user_event();
  enqueue_fill(buffer_, 1);
  ASSERT_CL(clFinish(queue));
  Event direct = enqueue_fill(buffer_, 2, {gate});
  Event indirect = enqueue_fill(buffer_, 3, {direct});
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clSetUserEventStatus(gate, -1234));
  EXPECT_EQ(clWaitForEvents(1, gate.ptr()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clWaitForEvents(1, indirect.ptr()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status(gate), -1234);
  EXPECT_LT(status(direct), 0);
  EXPECT_LT(status(indirect), 0);
  Queue other = make_queue(0);
  cl_int values[16] = {};
  ASSERT_CL(clEnqueueReadBuffer(other, buffer_, CL_TRUE, 0, 64, values, 0, nullptr, nullptr));
  EXPECT_EQ(values[0], 1) << "a command ran although what it waited for had failed";
}

TEST_F(Events, WaitErrors) {
  SPEC("API, Event Objects: errors of clWaitForEvents");
  Event event = make_user_event();
  EXPECT_EQ(clWaitForEvents(0, event.ptr()), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(1, nullptr), CL_INVALID_VALUE);
  cl_event null = nullptr;
  EXPECT_EQ(clWaitForEvents(1, &null), CL_INVALID_EVENT);
  cl_int error = CL_SUCCESS;
  Context foreign(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  Event elsewhere(clCreateUserEvent(foreign, &error));
  ASSERT_CL(error);
  const cl_event both[] = {event, elsewhere};
  EXPECT_EQ(clWaitForEvents(2, both), CL_INVALID_CONTEXT);
  const cl_int value = 0;
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer_, &value, 4, 0, 64, 1, elsewhere.ptr(), nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer_, &value, 4, 0, 64, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer_, &value, 4, 0, 64, 0, event.ptr(), nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer_, &value, 4, 0, 64, 1, &null, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
  ASSERT_CL(clSetUserEventStatus(elsewhere, CL_COMPLETE));
}

struct Heard {
  std::atomic<int> calls{0};
  std::atomic<int> status{99};
  static void CL_CALLBACK note(cl_event, cl_int status, void* data) {
    auto* heard = static_cast<Heard*>(data);
    heard->status = status;
    ++heard->calls;
  }
};

TEST_F(Events, CallbacksForEveryState) {
  SPEC("API, Event Objects: clSetEventCallback");
  Event gate = make_user_event();
  Event command = enqueue_fill(buffer_, 1, {gate});
  Heard submitted, running, complete, again;
  ASSERT_CL(clSetEventCallback(command, CL_SUBMITTED, Heard::note, &submitted));
  ASSERT_CL(clSetEventCallback(command, CL_RUNNING, Heard::note, &running));
  ASSERT_CL(clSetEventCallback(command, CL_COMPLETE, Heard::note, &complete));
  ASSERT_CL(clSetEventCallback(command, CL_COMPLETE, Heard::note, &again));
  ASSERT_CL(clFlush(queue));
  EXPECT_EQ(complete.calls, 0);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  for (Heard* heard : {&submitted, &running, &complete, &again})
    EXPECT_TRUE(eventually([&] { return heard->calls == 1; }));
  EXPECT_EQ(complete.status, CL_COMPLETE);
  EXPECT_EQ(again.status, CL_COMPLETE);
  Heard late; // the state was reached already
  ASSERT_CL(clSetEventCallback(command, CL_COMPLETE, Heard::note, &late));
  EXPECT_TRUE(eventually([&] { return late.calls == 1; }));
  for (Heard* heard : {&submitted, &running, &complete, &again, &late})
    EXPECT_EQ(heard->calls, 1);
}

TEST_F(Events, CallbackHearsOfFailure) {
  SPEC("API, Event Objects: the callback for CL_COMPLETE is also called for abnormal termination, "
       "with the error");
  Event gate = make_user_event();
  Heard user, dependent;
  Event command = enqueue_fill(buffer_, 1, {gate});
  ASSERT_CL(clSetEventCallback(gate, CL_COMPLETE, Heard::note, &user));
  ASSERT_CL(clSetEventCallback(command, CL_COMPLETE, Heard::note, &dependent));
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clSetUserEventStatus(gate, -77));
  EXPECT_TRUE(eventually([&] { return user.calls == 1 && dependent.calls == 1; }));
  EXPECT_EQ(user.status, -77);
  EXPECT_LT(dependent.status, 0);
}

TEST_F(Events, CallbackErrors) {
  SPEC("API, Event Objects: errors of clSetEventCallback");
  Event event = make_user_event();
  EXPECT_EQ(clSetEventCallback(nullptr, CL_COMPLETE, Heard::note, nullptr), CL_INVALID_EVENT);
  EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(event, CL_QUEUED, Heard::note, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(event, 1234, Heard::note, nullptr), CL_INVALID_VALUE);
  ASSERT_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_F(Events, MarkersAndBarriers) {
  SPEC("API, Markers, Barriers and Waiting for Events");
  const auto supported = info<cl_command_queue_properties>(clGetDeviceInfo, device,
                                                           CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
  if (!(supported & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    GTEST_SKIP();
  queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Event gate = make_user_event();
  Event first = enqueue_fill(buffer_, 1, {gate});
  Event marker, barrier, unrelated;
  Event free = make_user_event();
  ASSERT_CL(clSetUserEventStatus(free, CL_COMPLETE));
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, nullptr, marker.out()));
  ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 1, free.ptr(), unrelated.out()));
  ASSERT_CL(clFlush(queue));
  EXPECT_TRUE(eventually([&] { return status(unrelated) == CL_COMPLETE; }))
      << "a marker waits for its list only";
  ASSERT_CL(clEnqueueBarrierWithWaitList(queue, 0, nullptr, barrier.out()));
  Event second = enqueue_fill(buffer_, 2);
  ASSERT_CL(clFlush(queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GT(status(marker), CL_COMPLETE);
  EXPECT_GT(status(barrier), CL_COMPLETE);
  EXPECT_GT(status(second), CL_COMPLETE) << "a command behind the barrier overtook it";
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(status(marker), CL_COMPLETE);
  EXPECT_EQ(read<cl_int>(buffer_, 16), std::vector<cl_int>(16, 2));
  EXPECT_EQ(info<cl_command_type>(clGetEventInfo, marker.get(), CL_EVENT_COMMAND_TYPE),
            cl_command_type(CL_COMMAND_MARKER));
  EXPECT_EQ(info<cl_command_type>(clGetEventInfo, barrier.get(), CL_EVENT_COMMAND_TYPE),
            cl_command_type(CL_COMMAND_BARRIER));
}

TEST_F(Events, AcrossTheDevicesOfAContext) {
  SPEC("API, Event Objects: a wait list holds events of any queue of the context; Contexts");
  const cl_device_partition_property each[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  if (clCreateSubDevices(device, each, 0, nullptr, &count) != CL_SUCCESS || count < 2)
    GTEST_SKIP() << "the device cannot be parted";
  std::vector<cl_device_id> devices(count);
  ASSERT_CL(clCreateSubDevices(device, each, count, devices.data(), nullptr));
  devices.push_back(device);
  cl_int error = CL_SUCCESS;
  context = Context(
      clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), nullptr, nullptr, &error));
  ASSERT_CL(error);
  std::vector<Queue> queues;
  for (cl_device_id each_device : devices) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    queues.emplace_back(clCreateCommandQueue(context, each_device, 0, &error));
#pragma GCC diagnostic pop
    ASSERT_CL(error);
  }
  // A chain across devices, each command on the result of the preceding one, released by a user
  // event.
  constexpr int kSteps = 60;
  Memory cells = make_buffer((kSteps + 1) * 4);
  const cl_int zero = 0;
  Event gate = make_user_event(), last = make_user_event();
  ASSERT_CL(clSetUserEventStatus(last, CL_COMPLETE));
  queue = make_queue(0); // of the whole device, for `read`
  ASSERT_CL(clEnqueueFillBuffer(queue, cells, &zero, 4, 0, (kSteps + 1) * 4, 0, nullptr, nullptr));
  const cl_int start = 77;
  ASSERT_CL(clEnqueueFillBuffer(queue, cells, &start, 4, 0, 4, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  for (int i = 0; i < kSteps; ++i) {
    Event next;
    const cl_event waits[] = {last, gate};
    ASSERT_CL(clEnqueueCopyBuffer(queues[i % queues.size()], cells, cells, i * 4, (i + 1) * 4, 4, 2,
                                  waits, next.out()));
    last = std::move(next);
  }
  for (const auto& each_queue : queues)
    ASSERT_CL(clFlush(each_queue));
  EXPECT_GT(status(last), CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, last.ptr()));
  EXPECT_EQ(read<cl_int>(cells, kSteps + 1), std::vector<cl_int>(kSteps + 1, start));
  queues.clear();
  for (cl_uint i = 0; i < count; ++i)
    EXPECT_CL(clReleaseDevice(devices[i]));
}

TEST_F(Events, ProfilingTimesAreInOrder) {
  SPEC("API, Profiling Operations on Memory Objects and Kernels");
  Event event = enqueue_fill(buffer_, 1);
  ASSERT_CL(clWaitForEvents(1, event.ptr()));
  cl_ulong last = 0;
  for (cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                 CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
    const auto time = info<cl_ulong>(clGetEventProfilingInfo, event.get(), name);
    EXPECT_GE(time, last);
    EXPECT_NE(time, 0u);
    last = time;
  }
  if (version >= 200) {
    EXPECT_GE(info<cl_ulong>(clGetEventProfilingInfo, event.get(), CL_PROFILING_COMMAND_COMPLETE),
              last);
  }
}

TEST_F(Events, ProfilingIsNotAvailableWithoutTheProperty) {
  SPEC("API, Profiling Operations: CL_PROFILING_INFO_NOT_AVAILABLE");
  cl_ulong time = 0;
  Event user = make_user_event();
  EXPECT_EQ(clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  Event blocked = enqueue_fill(buffer_, 1, {user});
  EXPECT_EQ(clGetEventProfilingInfo(blocked, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  ASSERT_CL(clSetUserEventStatus(user, CL_COMPLETE));
  ASSERT_CL(clFinish(queue));
  queue = make_queue(0);
  Event event = enqueue_fill(buffer_, 1);
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
}

} // namespace
