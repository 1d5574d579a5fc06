// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores (cl_khr_semaphore): creation, queries, signals and waits of several queues, errors.
#include "harness.h"
#include "semaphore_api.h"

#include <thread>

using namespace conformance;
using namespace semaphores;

namespace {

class Semaphores : public DeviceTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_semaphore"))
      GTEST_SKIP() << "no cl_khr_semaphore";
    ASSERT_TRUE(api.is_complete());
    DeviceTest::SetUp();
    other = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }
  Semaphore create() {
    cl_int error = CL_SUCCESS;
    const Properties list{TYPE, TYPE_BINARY, 0};
    Semaphore made(api, api.create(context, list.data(), &error));
    EXPECT_CL(error);
    return made;
  }
  cl_int error_of(const Properties& list) { return semaphores::error_of(api, context, list); }
  Event signal(cl_command_queue in, const Semaphore& semaphore, cl_event after = nullptr) {
    Event event;
    EXPECT_CL(api.signal(in, 1, semaphore.ptr(), nullptr, after ? 1 : 0, after ? &after : nullptr,
                         event.out()));
    return event;
  }
  Event wait(cl_command_queue in, const Semaphore& semaphore, cl_event after = nullptr) {
    Event event;
    EXPECT_CL(api.wait(in, 1, semaphore.ptr(), nullptr, after ? 1 : 0, after ? &after : nullptr,
                       event.out()));
    return event;
  }
  cl_ulong payload(const Semaphore& semaphore) {
    return info<cl_ulong>(api.info, Handle(semaphore), INFO_PAYLOAD);
  }
  static cl_int status(cl_event event) {
    return info<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
  }
  Event make_user_event() {
    cl_int error = CL_SUCCESS;
    Event event(clCreateUserEvent(context, &error));
    EXPECT_CL(error);
    return event;
  }

  const Api api{Target::get().platform};
  Queue other; // out of order
};

TEST_F(Semaphores, Queries) {
  SPEC("API, Semaphore Queries");
  const auto types = info_array<cl_uint>(clGetDeviceInfo, device, DEVICE_TYPES);
  EXPECT_TRUE(has_extension("cl_khr_semaphore") && !types.empty() && types[0] == TYPE_BINARY);
  EXPECT_EQ(info_array<cl_uint>(clGetPlatformInfo, Target::get().platform, PLATFORM_TYPES), types);
  const Properties list{TYPE, TYPE_BINARY, DEVICE_HANDLE_LIST, property(device), 0, 0};
  cl_int error = CL_SUCCESS;
  const Semaphore semaphore(api, api.create(context, list.data(), &error));
  ASSERT_CL(error);
  const Handle handle = semaphore;
  EXPECT_EQ(info<cl_context>(api.info, handle, INFO_CONTEXT), context.get());
  EXPECT_EQ(info<cl_uint>(api.info, handle, TYPE), TYPE_BINARY);
  EXPECT_EQ(info_array<cl_properties>(api.info, handle, INFO_PROPERTIES), list);
  EXPECT_EQ(info<cl_device_id>(api.info, handle, DEVICE_HANDLE_LIST), device);
  EXPECT_EQ(payload(semaphore), 0u);
  EXPECT_EQ(info<cl_uint>(api.info, handle, INFO_REFERENCE_COUNT), 1u);
  EXPECT_CL(api.retain(handle));
  EXPECT_EQ(info<cl_uint>(api.info, handle, INFO_REFERENCE_COUNT), 2u);
  EXPECT_CL(api.release(handle));
  EXPECT_EQ(info<cl_uint>(api.info, handle, INFO_REFERENCE_COUNT), 1u);
  const auto of_all = create();
  EXPECT_EQ(info<cl_device_id>(api.info, Handle(of_all), DEVICE_HANDLE_LIST), device);
  cl_uint small = 0;
  EXPECT_EQ(api.info(handle, INFO_CONTEXT, 1, &small, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.info(handle, 0x7777, sizeof small, &small, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.info(nullptr, TYPE, sizeof small, &small, nullptr), INVALID_SEMAPHORE);
}

TEST_F(Semaphores, CreationErrors) {
  SPEC("API, Creating Semaphores");
  cl_int error = CL_SUCCESS;
  const Properties sound{TYPE, TYPE_BINARY, 0};
  EXPECT_EQ(api.create(nullptr, sound.data(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(api.create(context, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(api.create(context, nullptr, nullptr), nullptr);
  EXPECT_EQ(error_of({0}), CL_INVALID_VALUE);
  EXPECT_EQ(error_of({DEVICE_HANDLE_LIST, property(device), 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(error_of({TYPE, 77, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, 0x7777, 1, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, TYPE, TYPE_BINARY, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, DEVICE_HANDLE_LIST, property(device), 0,
                      DEVICE_HANDLE_LIST, property(device), 0, 0}),
            CL_INVALID_PROPERTY);
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, DEVICE_HANDLE_LIST, 0, 0}), CL_INVALID_DEVICE);
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, DEVICE_HANDLE_LIST, property(context), 0, 0}),
            CL_INVALID_DEVICE);
  EXPECT_EQ(
      error_of({TYPE, TYPE_BINARY, DEVICE_HANDLE_LIST, property(device), property(device), 0, 0}),
      CL_INVALID_DEVICE);
  EXPECT_EQ(api.retain(nullptr), INVALID_SEMAPHORE);
  EXPECT_EQ(api.release(nullptr), INVALID_SEMAPHORE);
}

TEST_F(Semaphores, CommandErrors) {
  SPEC("API, Waiting On and Signaling Semaphores");
  const auto semaphore = create();
  cl_int error = CL_SUCCESS;
  const Context stranger(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  ASSERT_CL(error);
  const Event of_stranger(clCreateUserEvent(stranger, &error));
  const Event failed = make_user_event();
  ASSERT_CL(clSetUserEventStatus(failed, -7));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const Queue elsewhere(clCreateCommandQueue(stranger, device, 0, &error));
#pragma GCC diagnostic pop
  ASSERT_CL(error);
  for (const auto call : {api.wait, api.signal}) {
    const auto* list = semaphore.ptr();
    EXPECT_EQ(call(nullptr, 1, list, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(call(queue, 0, list, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    const Handle none[] = {semaphore, nullptr};
    EXPECT_EQ(call(queue, 2, none, nullptr, 0, nullptr, nullptr), INVALID_SEMAPHORE);
    EXPECT_EQ(call(elsewhere, 1, list, nullptr, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(call(queue, 1, list, nullptr, 1, of_stranger.ptr(), nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(call(queue, 1, list, nullptr, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(call(queue, 1, list, nullptr, 0, failed.ptr(), nullptr), CL_INVALID_EVENT_WAIT_LIST);
    const cl_event no_event = nullptr;
    EXPECT_EQ(call(queue, 1, list, nullptr, 1, &no_event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(call(queue, 1, list, nullptr, 1, failed.ptr(), nullptr),
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(payload(semaphore), 0u); // none of the calls has left anything
}

TEST_F(Semaphores, SignalThenWait) {
  SPEC("API, Waiting On and Signaling Semaphores");
  const auto semaphore = create();
  for (int round = 0; round < 3; ++round) {
    const auto signaled = signal(queue, semaphore);
    EXPECT_EQ(info<cl_command_type>(clGetEventInfo, signaled.get(), CL_EVENT_COMMAND_TYPE),
              COMMAND_SIGNAL);
    ASSERT_CL(clWaitForEvents(1, signaled.ptr()));
    EXPECT_EQ(payload(semaphore), 1u);
    const auto waited = wait(other, semaphore);
    EXPECT_EQ(info<cl_command_type>(clGetEventInfo, waited.get(), CL_EVENT_COMMAND_TYPE),
              COMMAND_WAIT);
    ASSERT_CL(clWaitForEvents(1, waited.ptr()));
    EXPECT_EQ(payload(semaphore), 0u);
  }
}

TEST_F(Semaphores, WaitListsAreWaitedFor) {
  SPEC(
      "API, clEnqueueSignalSemaphoresKHR: waits for a list of events to complete and then signals");
  const auto semaphore = create();
  const Event gate = make_user_event();
  const auto signaled = signal(queue, semaphore, gate);
  const auto waited = wait(other, semaphore);
  ASSERT_CL(clFlush(queue));
  ASSERT_CL(clFlush(other));
  EXPECT_EQ(payload(semaphore), 0u);
  EXPECT_GT(status(waited), CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(other));
  EXPECT_EQ(status(waited), CL_COMPLETE);
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(status(signaled), CL_COMPLETE);

  const Event second = make_user_event();
  const auto again = wait(other, semaphore, second);
  ASSERT_CL(clSetUserEventStatus(second, CL_COMPLETE));
  (void)signal(queue, semaphore);
  ASSERT_CL(clWaitForEvents(1, again.ptr()));
}

TEST_F(Semaphores, SeveralAtOnce) {
  SPEC("API, clEnqueueWaitSemaphoresKHR: waits for a list of semaphore objects");
  const auto first = create(), second = create();
  const Handle both[] = {first, second};
  ASSERT_CL(api.signal(queue, 2, both, nullptr, 0, nullptr, nullptr));
  Event waited;
  ASSERT_CL(api.wait(other, 2, both, nullptr, 0, nullptr, waited.out()));
  ASSERT_CL(clWaitForEvents(1, waited.ptr()));
  EXPECT_EQ(payload(first) + payload(second), 0u);
  ASSERT_CL(api.signal(queue, 1, both, nullptr, 0, nullptr, nullptr));
  ASSERT_CL(api.wait(other, 2, both, nullptr, 0, nullptr, waited.out()));
  ASSERT_CL(clFinish(queue));
  EXPECT_GT(status(waited), CL_COMPLETE);
  EXPECT_EQ(payload(second), 0u);
  ASSERT_CL(api.signal(queue, 1, both + 1, nullptr, 0, nullptr, nullptr));
  ASSERT_CL(clWaitForEvents(1, waited.ptr()));
}

TEST_F(Semaphores, OrdersTheCommandsOfTwoQueues) {
  SPEC("API, Semaphores: synchronization across queues");
  const auto semaphore = create(), back = create();
  constexpr size_t kCount = 1 << 16;
  const auto buffer = make_buffer(std::vector<cl_int>(kCount, 1));
  const auto kernel =
      make_kernel("kernel void add_to(global int* x, int by) {"
                  "  size_t i = get_global_id(0); x[i] = by == 2 ? 2 * x[i] : x[i] + by; }",
                  "add_to");
  const auto launch = [&](cl_command_queue in, cl_int by) {
    set_arguments(kernel, buffer, by);
    const size_t items = kCount;
    EXPECT_CL(clEnqueueNDRangeKernel(in, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  };
  const auto in_order = make_queue(0);
  cl_int expected = 1;
  for (int round = 0; round < 10; ++round) {
    launch(queue, 2);
    (void)signal(queue, semaphore);
    (void)wait(in_order, semaphore);
    launch(in_order, 1);
    (void)signal(in_order, back);
    (void)wait(queue, back);
    expected = 2 * expected + 1;
  }
  EXPECT_EQ(read<cl_int>(buffer, kCount), std::vector<cl_int>(kCount, expected));
}

TEST_F(Semaphores, MayBeUsedAgainWhenTheCallsReturn) {
  SPEC("API, clEnqueueWaitSemaphoresKHR: will not return until it is safe to re-signal");
  // Nothing has executed, and the second pair of commands is ready before the first one.
  const auto semaphore = create();
  const Event gate = make_user_event(), late = make_user_event();
  const auto first_signal = signal(other, semaphore, gate);
  const auto first_wait = wait(other, semaphore, late);
  const auto second_signal = signal(other, semaphore);
  const auto second_wait = wait(other, semaphore);
  ASSERT_CL(clWaitForEvents(1, second_signal.ptr()));
  ASSERT_CL(clSetUserEventStatus(late, CL_COMPLETE));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(other));
  for (const auto* event : {&first_signal, &first_wait, &second_wait})
    EXPECT_EQ(status(*event), CL_COMPLETE);
  EXPECT_EQ(payload(semaphore), 0u);
}

TEST_F(Semaphores, ReleasedWhileCommandsUseIt) {
  SPEC("API, clReleaseSemaphoreKHR: deleted when the commands have finished");
  auto semaphore = create();
  const Event gate = make_user_event();
  (void)signal(queue, semaphore, gate);
  const auto waited = wait(other, semaphore);
  const Handle handle = semaphore;
  semaphore.reset();
  EXPECT_EQ(api.retain(handle), INVALID_SEMAPHORE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, waited.ptr()));
}

TEST_F(Semaphores, AnotherThreadSignals) {
  SPEC("API, Semaphores");
  const auto semaphore = create();
  const auto waited = wait(queue, semaphore);
  std::thread thread([&] { (void)signal(other, semaphore); });
  EXPECT_CL(clWaitForEvents(1, waited.ptr()));
  thread.join();
  EXPECT_EQ(payload(semaphore), 0u);
}

} // namespace
