// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores on several queues, devices, threads and processes: failures, lifetimes, order. What
// the specification says of each call is in conformance/programs.
#include "conformance/programs/semaphore_api.h"
#include "tests/api/api_test.h"
#include "tests/api/two_devices.h"

#include <atomic>
#include <cstdint>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace heddle::test {
namespace {

using namespace semaphores;

class SemaphoreTest : public ApiTest {
 protected:
  const Api api_{platform()};
  const Queue other_ = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);

  Semaphore create() { return create(context_, {TYPE, TYPE_BINARY, 0}); }
  Semaphore create(cl_context context, const Properties& list) {
    cl_int error = CL_SUCCESS;
    Semaphore made(api_, api_.create(context, list.data(), &error));
    check(error, "clCreateSemaphoreWithPropertiesKHR");
    return made;
  }
  Event enqueue(Api::Enqueue call, cl_command_queue in, const Semaphore& semaphore,
                const std::vector<cl_event>& waits = {}) {
    Event event;
    check(call(in, 1, semaphore.ptr(), nullptr, static_cast<cl_uint>(waits.size()),
               waits.empty() ? nullptr : waits.data(), event.out()),
          "semaphore command");
    return event;
  }
  Event signal(cl_command_queue in, const Semaphore& semaphore,
               const std::vector<cl_event>& waits = {}) {
    return enqueue(api_.signal, in, semaphore, waits);
  }
  Event wait(cl_command_queue in, const Semaphore& semaphore,
             const std::vector<cl_event>& waits = {}) {
    return enqueue(api_.wait, in, semaphore, waits);
  }
  bool is_signaled(const Semaphore& semaphore) {
    cl_ulong payload = 2;
    check(api_.info(semaphore, INFO_PAYLOAD, sizeof payload, &payload, nullptr), "payload");
    EXPECT_LE(payload, 1u);
    return payload == 1;
  }
  Event user_event() {
    cl_int error = CL_SUCCESS;
    Event event(clCreateUserEvent(context_, &error));
    check(error, "clCreateUserEvent");
    return event;
  }
  static cl_int end_of(cl_event event) {
    clWaitForEvents(1, &event);
    return event_status(event);
  }
};

TEST_F(SemaphoreTest, ASignalThatFailsIsNotGiven) {
  for (const auto queue : {queue_.get(), other_.get()}) {
    const auto semaphore = create();
    const auto gate = user_event();
    const auto signaled = signal(queue, semaphore, {gate});
    const auto waited = wait(other_, semaphore);
    check(clSetUserEventStatus(gate, -5), "clSetUserEventStatus");
    EXPECT_LT(end_of(signaled), 0);
    EXPECT_FALSE(is_signaled(semaphore));
    EXPECT_GT(event_status(waited), CL_COMPLETE);
    // The next signal is the wait's, also if it was there first.
    EXPECT_EQ(end_of(signal(queue, semaphore)), CL_COMPLETE);
    EXPECT_EQ(end_of(waited), CL_COMPLETE);
    EXPECT_FALSE(is_signaled(semaphore));
  }
}

TEST_F(SemaphoreTest, SignalsMoveUpWhenOneFails) {
  const auto semaphore = create();
  const auto gate = user_event();
  const auto failing = signal(other_, semaphore, {gate});
  const auto first = wait(other_, semaphore);
  EXPECT_EQ(end_of(signal(other_, semaphore)), CL_COMPLETE);
  EXPECT_GT(event_status(first), CL_COMPLETE); // its own signal is still to come
  EXPECT_TRUE(is_signaled(semaphore));
  check(clSetUserEventStatus(gate, -5), "clSetUserEventStatus");
  EXPECT_EQ(end_of(first), CL_COMPLETE);
  EXPECT_FALSE(is_signaled(semaphore));
}

TEST_F(SemaphoreTest, AWaitThatFailsLeavesItSignaled) {
  const auto semaphore = create();
  for (const bool signaled_first : {true, false}) {
    const auto gate = user_event();
    if (signaled_first) {
      EXPECT_EQ(end_of(signal(queue_, semaphore)), CL_COMPLETE);
    }
    const auto failing = wait(other_, semaphore, {gate});
    const auto next = wait(other_, semaphore);
    check(clSetUserEventStatus(gate, -5), "clSetUserEventStatus");
    if (!signaled_first) {
      EXPECT_EQ(end_of(signal(queue_, semaphore)), CL_COMPLETE);
    }
    EXPECT_EQ(end_of(failing), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(end_of(next), CL_COMPLETE);
    EXPECT_FALSE(is_signaled(semaphore));
  }
  const auto gate = user_event();
  EXPECT_EQ(end_of(signal(queue_, semaphore)), CL_COMPLETE);
  const auto failing = wait(other_, semaphore, {gate});
  EXPECT_TRUE(is_signaled(semaphore)); // nobody has waited yet
  check(clSetUserEventStatus(gate, -5), "clSetUserEventStatus");
  EXPECT_LT(end_of(failing), 0);
  EXPECT_TRUE(is_signaled(semaphore));
  EXPECT_EQ(end_of(wait(queue_, semaphore)), CL_COMPLETE);
  EXPECT_FALSE(is_signaled(semaphore));
}

TEST_F(SemaphoreTest, CommandsAfterAWaitFollowIt) {
  for (const auto queue : {queue_.get(), other_.get()}) {
    const auto semaphore = create();
    const auto buffer = make_buffer(context_, 4);
    const cl_int one = 1, two = 2;
    (void)wait(queue, semaphore);
    if (queue == other_)
      check(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), "barrier");
    Event filled;
    check(clEnqueueFillBuffer(queue, buffer, &two, 4, 0, 4, 0, nullptr, filled.out()), "fill");
    const auto third = make_queue(context_);
    check(clEnqueueFillBuffer(third, buffer, &one, 4, 0, 4, 0, nullptr, nullptr), "fill");
    EXPECT_EQ(read<cl_int>(third, buffer, 1)[0], 1);
    EXPECT_GT(event_status(filled), CL_COMPLETE);
    (void)signal(third, semaphore);
    check(clFinish(queue), "clFinish");
    EXPECT_EQ(read<cl_int>(third, buffer, 1)[0], 2);
  }
}

TEST_F(SemaphoreTest, QueuesMayBeReleasedBeforeTheSignal) {
  auto semaphore = create();
  auto queue = make_queue(context_), second = make_queue(context_);
  const auto waited = wait(queue, semaphore);
  const auto after = wait(second, semaphore, {waited});
  queue.reset();
  second.reset();
  EXPECT_GT(event_status(waited), CL_COMPLETE);
  (void)signal(queue_, semaphore);
  (void)signal(queue_, semaphore);
  semaphore.reset();
  EXPECT_EQ(end_of(waited), CL_COMPLETE);
  EXPECT_EQ(end_of(after), CL_COMPLETE);
}

// What nobody signals any more stays as it is, and keeps neither this call nor the end of the
// process.
TEST_F(SemaphoreTest, AWaitWithoutASignal) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler kept_for_ever;
#endif
  auto semaphore = create();
  auto queue = make_queue(context_);
  const auto waited = wait(queue, semaphore);
  check(clFlush(queue), "clFlush");
  semaphore.reset();
  queue.reset();
  EXPECT_GT(event_status(waited), CL_COMPLETE);
}

TEST_F(SemaphoreTest, HandlesThatAreNone) {
  auto gone = create();
  const auto live = create();
  const Handle released = gone;
  gone.reset();
  const auto buffer = make_buffer(context_, 64);
  void* const wrong[] = {nullptr,
                         context_.get(),
                         queue_.get(),
                         buffer.get(),
                         released,
                         reinterpret_cast<void*>(1),
                         &gone,
                         reinterpret_cast<char*>(Handle(live)) + 8,
                         reinterpret_cast<void*>(~std::uintptr_t{7})};
  for (void* handle : wrong) {
    const auto semaphore = static_cast<Handle>(handle);
    cl_uint type = 0;
    EXPECT_EQ(api_.retain(semaphore), INVALID_SEMAPHORE);
    EXPECT_EQ(api_.release(semaphore), INVALID_SEMAPHORE);
    EXPECT_EQ(api_.info(semaphore, TYPE, sizeof type, &type, nullptr), INVALID_SEMAPHORE);
    const Handle list[] = {live, semaphore};
    for (const auto call : {api_.wait, api_.signal}) {
      EXPECT_EQ(call(queue_, 2, list, nullptr, 0, nullptr, nullptr), INVALID_SEMAPHORE);
      if (handle != queue_.get()) {
        EXPECT_EQ(
            call(static_cast<cl_command_queue>(handle), 1, list, nullptr, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
      }
    }
    if (handle != context_.get()) {
      cl_int error = 77;
      const Properties plain{TYPE, TYPE_BINARY, 0};
      EXPECT_EQ(api_.create(static_cast<cl_context>(handle), plain.data(), &error), nullptr);
      EXPECT_EQ(error, CL_INVALID_CONTEXT);
    }
  }
  EXPECT_FALSE(is_signaled(live));
  EXPECT_EQ(clRetainMemObject(reinterpret_cast<cl_mem>(Handle(live))), CL_INVALID_MEM_OBJECT);
}

TEST_F(SemaphoreTest, CallbacksMaySignal) {
  struct Data {
    const Api* api;
    cl_command_queue queue;
    Handle semaphore;
  };
  const auto first = create(), second = create();
  const auto waited = wait(queue_, first);
  Data data{&api_, other_, second};
  check(clSetEventCallback(
            waited, CL_COMPLETE,
            [](cl_event, cl_int, void* given) {
              const auto& all = *static_cast<Data*>(given);
              all.api->signal(all.queue, 1, &all.semaphore, nullptr, 0, nullptr, nullptr);
            },
            &data),
        "clSetEventCallback");
  const auto last = wait(queue_, second);
  (void)signal(other_, first);
  EXPECT_EQ(end_of(last), CL_COMPLETE);
}

TEST_F(SemaphoreTest, TimesOfCommands) {
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  const auto semaphore = create();
  const auto waited = wait(queue, semaphore);
  (void)signal(other_, semaphore);
  EXPECT_EQ(end_of(waited), CL_COMPLETE);
  EXPECT_LE(profiling(waited, CL_PROFILING_COMMAND_QUEUED),
            profiling(waited, CL_PROFILING_COMMAND_START));
  EXPECT_LE(profiling(waited, CL_PROFILING_COMMAND_START),
            profiling(waited, CL_PROFILING_COMMAND_END));
}

TEST_F(SemaphoreTest, DevicesOfAContext) {
  if (!TwoDevices::are_possible())
    GTEST_SKIP() << "one compute unit";
  const TwoDevices devices;
  const auto& [first, second, context, near, far] = devices;
  cl_int error = CL_SUCCESS;
  const Properties plain{TYPE, TYPE_BINARY, 0};
  EXPECT_EQ(api_.create(context, plain.data(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
  const Properties outside{TYPE, TYPE_BINARY, DEVICE_HANDLE_LIST, property(device()), 0, 0};
  EXPECT_EQ(api_.create(context, outside.data(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  const auto semaphore =
      create(context, {TYPE, TYPE_BINARY, DEVICE_HANDLE_LIST, property(first.get()), 0, 0});
  for (const auto call : {api_.wait, api_.signal})
    EXPECT_EQ(call(far, 1, semaphore.ptr(), nullptr, 0, nullptr, nullptr),
              CL_INVALID_COMMAND_QUEUE);
  const auto waited = wait(near, semaphore);
  const Queue also(clCreateCommandQueueWithProperties(context, first, nullptr, &error));
  (void)signal(also, semaphore);
  EXPECT_EQ(end_of(waited), CL_COMPLETE);
}

// Each thread passes a baton on to the next one, and all write the same memory in turn.
TEST_F(SemaphoreTest, ManyThreads) {
  constexpr int kThreads = 4, kRounds = 200;
  std::vector<Semaphore> batons;
  for (int i = 0; i < kThreads; ++i)
    batons.push_back(create());
  const cl_int zero = 0;
  const auto buffer = make_buffer(context_, sizeof zero, &zero, CL_MEM_COPY_HOST_PTR);
  const auto program = build(context_, "kernel void count(global int* x, int by) {"
                                       "  if (*x % 4 == by) ++*x; }");
  std::atomic<int> failures{0};
  (void)signal(queue_,
               batons[0]); // before the last thread's signals: the order of the calls counts
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      const auto queue = make_queue(context_, t % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      const auto kernel = make_kernel(program, "count");
      set_args(kernel, buffer, static_cast<cl_int>(t));
      for (int round = 0; round < kRounds; ++round) {
        const auto waited = wait(queue, batons[t]);
        Event counted;
        failures += test::enqueue(queue, kernel, {{1}, {}, {}}, counted.out(), {waited}) != 0;
        (void)signal(queue, batons[(t + 1) % kThreads], {counted});
      }
      failures += clFinish(queue) != 0;
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(read<cl_int>(queue_, buffer, 1)[0], kThreads * kRounds);
  for (int t = 0; t < kThreads; ++t)
    EXPECT_EQ(is_signaled(batons[t]), t == 0);
}

#if !defined(                                                                                      \
    __SANITIZE_THREAD__) // it does not bear new threads in the child of a program with threads
TEST_F(SemaphoreTest, InAForkedChild) {
  const auto semaphore = create();
  EXPECT_EQ(end_of(signal(queue_, semaphore)), CL_COMPLETE);
  const auto child = fork();
  if (child == 0) {
    alarm(60);
    // The child's copies of what was there, and new ones.
    bool works = end_of(wait(queue_, semaphore)) == CL_COMPLETE && !is_signaled(semaphore);
    const auto made = create();
    const auto waited = wait(other_, made);
    (void)signal(make_queue(context_), made);
    works = works && end_of(waited) == CL_COMPLETE;
    _exit(works ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(is_signaled(semaphore));
}
#endif

// cl_khr_terminate_context: waits whose signals never come, and commands behind them.
TEST_F(SemaphoreTest, TerminatedContextsEndWaits) {
  const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  const auto unit = device();
  cl_int error = 1;
  const Context context(clCreateContext(properties, 1, &unit, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const auto in_order = make_queue(context);
  const auto out_of_order = make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto semaphore = create(context, {TYPE, TYPE_BINARY, 0});
  const auto other = create(context, {TYPE, TYPE_BINARY, 0});
  const Event gate(clCreateUserEvent(context, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  std::vector<Event> events;
  events.push_back(wait(in_order, semaphore));
  events.emplace_back();
  ASSERT_EQ(clEnqueueMarkerWithWaitList(in_order, 0, nullptr, events.back().out()), CL_SUCCESS);
  events.push_back(signal(out_of_order, other, {gate}));
  events.push_back(wait(out_of_order, other));
  const auto terminate = reinterpret_cast<clTerminateContextKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform(), "clTerminateContextKHR"));
  ASSERT_NE(terminate, nullptr);
  ASSERT_EQ(terminate(context), CL_SUCCESS);
  for (const auto& event : events)
    EXPECT_EQ(end_of(event), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(clFinish(in_order), CL_SUCCESS);
  EXPECT_EQ(clFinish(out_of_order), CL_SUCCESS);
  EXPECT_EQ(api_.create(context, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_CONTEXT_TERMINATED_KHR);
}

} // namespace
} // namespace heddle::test
