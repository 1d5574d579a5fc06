// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events (OpenCL API 5.11 to 5.15): states, callbacks, user events, markers, barriers, long chains,
// failure.
#include "tests/api/api_test.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace heddle::test {
namespace {

class EventTest : public ApiTest {
 protected:
  Event user_event() {
    cl_int status = 1;
    Event event(clCreateUserEvent(context_, &status));
    check(status, "clCreateUserEvent");
    return event;
  }
  Event marker(cl_command_queue queue, const std::vector<cl_event>& waits = {}) {
    Event event;
    check(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                      waits.empty() ? nullptr : waits.data(), event.out()),
          "clEnqueueMarkerWithWaitList");
    return event;
  }
};

// Counts down; waits with a limit so that a lost callback is a failure, not a hang.
class Latch {
 public:
  explicit Latch(int count) : left_(count) {}
  void arrive() {
    const std::lock_guard lock(mutex_);
    --left_;
    changed_.notify_all();
  }
  bool wait(int seconds = 30) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(seconds), [&] { return left_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int left_;
};

TEST_F(EventTest, Info) {
  const auto event = marker(queue_);
  for (const cl_uint name : {CL_EVENT_COMMAND_QUEUE, CL_EVENT_CONTEXT, CL_EVENT_COMMAND_TYPE,
                             CL_EVENT_COMMAND_EXECUTION_STATUS, CL_EVENT_REFERENCE_COUNT})
    expect_info_contract([&](auto... a) { return clGetEventInfo(event, a...); }, name);
  EXPECT_EQ(clGetEventInfo(event, 0x7fff1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_command_type type = 0;
  ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_MARKER});
  cl_command_queue queue = nullptr;
  ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(queue, queue_.get());
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(event_status(event), CL_COMPLETE);
}

TEST_F(EventTest, UserEventInfo) {
  const auto event = user_event();
  cl_command_type type = 0;
  ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_USER});
  cl_command_queue queue = queue_;
  ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(queue, nullptr);
  EXPECT_EQ(event_status(event), CL_SUBMITTED);
  ASSERT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(event_status(event), CL_COMPLETE);
}

TEST_F(EventTest, UserEventErrors) {
  const auto event = user_event();
  for (const cl_int wrong : {CL_RUNNING, CL_SUBMITTED, CL_QUEUED, 17})
    EXPECT_EQ(clSetUserEventStatus(event, wrong), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(event, -5), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
  EXPECT_EQ(event_status(event), -5);
  const auto done = marker(queue_);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(done, CL_COMPLETE), CL_INVALID_EVENT);
}

TEST_F(EventTest, WaitErrors) {
  const auto done = marker(queue_);
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clWaitForEvents(0, done.address()), CL_INVALID_VALUE);
  const auto other_context = make_context();
  cl_int status = 1;
  Event other(clCreateUserEvent(other_context, &status));
  const cl_event both[] = {done, other};
  EXPECT_EQ(clWaitForEvents(2, both), CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue_, 1, other.address(), nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue_, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue_, 0, done.address(), nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueBarrierWithWaitList(queue_, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueBarrierWithWaitList(queue_, 0, done.address(), nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  ASSERT_EQ(clSetUserEventStatus(other, CL_COMPLETE), CL_SUCCESS);
}

void CL_CALLBACK arrive(cl_event, cl_int, void* data) { static_cast<Latch*>(data)->arrive(); }

TEST_F(EventTest, CallbackErrors) {
  const auto event = user_event();
  EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(event, CL_QUEUED, arrive, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(event, -1, arrive, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(event, 9, arrive, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
}

TEST_F(EventTest, CallbacksForEveryState) {
  const auto gate = user_event();
  const auto event = marker(queue_, {gate});
  Latch latch(3);
  for (const cl_int state : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
    ASSERT_EQ(clSetEventCallback(event, state, arrive, &latch), CL_SUCCESS);
  ASSERT_EQ(clFlush(queue_), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_TRUE(latch.wait());
}

TEST_F(EventTest, CallbackOnAFinishedEvent) {
  const auto event = marker(queue_);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  Latch latch(1);
  ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, arrive, &latch), CL_SUCCESS);
  EXPECT_TRUE(latch.wait());
}

struct StatusSeen {
  Latch latch{1};
  std::atomic<cl_int> status{1};
  std::atomic<cl_event> event{nullptr};
};
void CL_CALLBACK keep_status(cl_event event, cl_int status, void* data) {
  auto* seen = static_cast<StatusSeen*>(data);
  seen->status = status;
  seen->event = event;
  seen->latch.arrive();
}

TEST_F(EventTest, CallbackOfAUserEventThatFails) {
  const auto event = user_event();
  StatusSeen seen;
  ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, keep_status, &seen), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(event, -77), CL_SUCCESS);
  ASSERT_TRUE(seen.latch.wait());
  EXPECT_EQ(seen.status, -77);
  EXPECT_EQ(seen.event, event.get());
}

// A failed event fails everything that waits for it, directly or not (5.11).
TEST_F(EventTest, FailureReachesAllDependants) {
  const auto gate = user_event();
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_int zero = 0, one = 1;
  const auto buffer = make_buffer(context_, 4, &zero);
  Event write;
  ASSERT_EQ(
      clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &one, 1, gate.address(), write.out()),
      CL_SUCCESS);
  const auto second = marker(queue, {write});
  const auto third = marker(queue, {second});
  StatusSeen seen;
  ASSERT_EQ(clSetEventCallback(third, CL_COMPLETE, keep_status, &seen), CL_SUCCESS);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, -1000), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, third.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  for (const cl_event event : {write.get(), second.get(), third.get()})
    EXPECT_LT(event_status(event), 0);
  ASSERT_TRUE(seen.latch.wait());
  EXPECT_LT(seen.status, 0);
  // The failed command did not run, and the queue remains usable.
  EXPECT_EQ(read<cl_int>(queue, buffer, 1)[0], 0);
}

TEST_F(EventTest, BlockingCommandOnAFailedEvent) {
  const auto gate = user_event();
  ASSERT_EQ(clSetUserEventStatus(gate, -3), CL_SUCCESS);
  const auto buffer = make_buffer(context_, 4);
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_int value = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 1, gate.address(), nullptr),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_F(EventTest, DependantWaitsForTheUserEvent) {
  const auto gate = user_event();
  const auto event = marker(queue_, {gate});
  ASSERT_EQ(clFlush(queue_), CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_NE(event_status(event), CL_COMPLETE);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    clSetUserEventStatus(gate, CL_COMPLETE);
  });
  EXPECT_EQ(clWaitForEvents(1, event.address()), CL_SUCCESS);
  EXPECT_EQ(event_status(event), CL_COMPLETE);
  opener.join();
}

// A callback may enqueue, and with Heddle also wait.
struct Chain {
  cl_command_queue queue;
  cl_mem buffer;
  Latch latch{1};
  std::atomic<int> links{0};
  std::atomic<cl_int> error{CL_SUCCESS};
};
void CL_CALLBACK next_link(cl_event, cl_int, void* data) {
  auto* chain = static_cast<Chain*>(data);
  const int link = ++chain->links;
  if (link == 200) {
    chain->latch.arrive();
    return;
  }
  Event event;
  const cl_int value = link;
  cl_int status =
      clEnqueueFillBuffer(chain->queue, chain->buffer, &value, 4, 0, 4, 0, nullptr, event.out());
  if (status == CL_SUCCESS)
    status = clFlush(chain->queue);
  // The chain may be gone after this.
  if (status == CL_SUCCESS)
    status = clSetEventCallback(event, CL_COMPLETE, next_link, chain);
  if (status != CL_SUCCESS) {
    chain->error = status;
    chain->latch.arrive();
  }
}

TEST_F(EventTest, CallbacksThatEnqueue) {
  const auto buffer = make_buffer(context_, 4);
  Chain chain{queue_, buffer, Latch{1}, {0}, {CL_SUCCESS}};
  const auto gate = user_event();
  ASSERT_EQ(clSetEventCallback(gate, CL_COMPLETE, next_link, &chain), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_TRUE(chain.latch.wait());
  EXPECT_EQ(chain.error, CL_SUCCESS);
  EXPECT_EQ(chain.links, 200);
  EXPECT_EQ(read<cl_int>(queue_, buffer, 1)[0], 199);
}

// One user event releases a chain of 100,000 commands: without recursion, in order.
TEST_F(EventTest, LongChain) {
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto gate = user_event();
  Event last;
  for (int i = 0; i != 100000; ++i) {
    Event next;
    const cl_event before = last ? last.get() : gate.get();
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &before, next.out()), CL_SUCCESS) << i;
    last = std::move(next);
  }
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  EXPECT_NE(event_status(last), CL_COMPLETE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, last.address()), CL_SUCCESS);
}

TEST_F(EventTest, LongChainFails) {
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto gate = user_event();
  Event last;
  for (int i = 0; i != 20000; ++i) {
    Event next;
    const cl_event before = last ? last.get() : gate.get();
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &before, next.out()), CL_SUCCESS) << i;
    last = std::move(next);
  }
  ASSERT_EQ(clSetUserEventStatus(gate, -42), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, last.address()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LT(event_status(last), 0);
}

// 20,000 commands that all wait for the same event.
TEST_F(EventTest, WideFan) {
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto gate = user_event();
  std::vector<Event> all;
  for (int i = 0; i != 20000; ++i)
    all.push_back(marker(queue, {gate}));
  const auto after = marker(queue);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, after.address()), CL_SUCCESS);
  for (const auto& event : all)
    ASSERT_EQ(event_status(event), CL_COMPLETE);
}

// An empty wait list means all earlier commands (5.12).
TEST_F(EventTest, MarkerWaitsForAllBefore) {
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto gate = user_event();
  const auto held = marker(queue, {gate});
  const auto all = marker(queue);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_NE(event_status(all), CL_COMPLETE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, all.address()), CL_SUCCESS);
  EXPECT_EQ(event_status(held), CL_COMPLETE);
}

// A command after a barrier waits although it has no wait list; one before it does not.
TEST_F(EventTest, BarrierHoldsBackWhatFollows) {
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto gate = user_event();
  const cl_int zero = 0, one = 1;
  const auto before = make_buffer(context_, 4, &zero);
  const auto after = make_buffer(context_, 4, &zero);
  Event first, second, barrier;
  ASSERT_EQ(clEnqueueFillBuffer(queue, before, &one, 4, 0, 4, 0, nullptr, first.out()), CL_SUCCESS);
  ASSERT_EQ(clEnqueueBarrierWithWaitList(queue, 1, gate.address(), barrier.out()), CL_SUCCESS);
  ASSERT_EQ(clEnqueueFillBuffer(queue, after, &one, 4, 0, 4, 0, nullptr, second.out()), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, first.address()), CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_NE(event_status(second), CL_COMPLETE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, second.address()), CL_SUCCESS);
  EXPECT_EQ(event_status(barrier), CL_COMPLETE);
  cl_command_type type = 0;
  ASSERT_EQ(clGetEventInfo(barrier, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_BARRIER});
}

// Events order commands of different queues of one context.
TEST_F(EventTest, AcrossQueues) {
  const auto other = make_queue(context_);
  const auto program =
      build(context_, "kernel void advance(global uint* x, uint n) { *x = *x * 3 + n; }");
  const auto kernel = make_kernel(program, "advance");
  const auto buffer = make_buffer(context_, 4, std::vector<cl_uint>(1).data());
  cl_uint expected = 0;
  Event last;
  for (cl_uint n = 0; n != 1000; ++n) {
    set_args(kernel, buffer, n);
    Event next;
    std::vector<cl_event> waits;
    if (last)
      waits.push_back(last);
    const cl_command_queue queue = n % 2 ? other.get() : queue_.get();
    ASSERT_EQ(enqueue(queue, kernel, {{1}, {}, {}}, next.out(), waits), CL_SUCCESS);
    ASSERT_EQ(clFlush(queue), CL_SUCCESS);
    last = std::move(next);
    expected = expected * 3 + n;
  }
  ASSERT_EQ(clWaitForEvents(1, last.address()), CL_SUCCESS);
  EXPECT_EQ(read<cl_uint>(queue_, buffer, 1)[0], expected);
}

TEST_F(EventTest, DeprecatedMarkerAndBarrier) {
  Event event;
  ASSERT_EQ(clEnqueueMarker(queue_, event.out()), CL_SUCCESS);
  EXPECT_EQ(clEnqueueMarker(queue_, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWaitForEvents(queue_, 1, event.address()), CL_SUCCESS);
  EXPECT_EQ(clEnqueueBarrier(queue_), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(EventTest, ReleasedBeforeItsCommandEnds) {
  const auto gate = user_event();
  StatusSeen seen;
  {
    const auto held = marker(queue_, {gate});
    ASSERT_EQ(clSetEventCallback(held, CL_COMPLETE, keep_status, &seen), CL_SUCCESS);
  }
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  ASSERT_TRUE(seen.latch.wait());
  EXPECT_EQ(seen.status, CL_COMPLETE);
}

} // namespace
} // namespace heddle::test
