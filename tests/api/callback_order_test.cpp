// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks of the commands of one queue: in the order in which the commands finish, one at a time,
// unless they wait for each other.
#include "tests/api/api_test.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace heddle::test {
namespace {

using std::chrono::milliseconds;

struct Log {
  std::mutex mutex;
  std::vector<int> order;
  std::atomic<int> inside{0}, most{0}, called{0};

  void add(int index) {
    const std::lock_guard lock(mutex);
    order.push_back(index);
  }
  bool wait_for(int count) const {
    for (int i = 0; i < 6000 && called < count; ++i)
      std::this_thread::sleep_for(milliseconds(10));
    return called >= count;
  }
};

struct Entry {
  Log* log;
  int index;
  int sleep;
};

void CL_CALLBACK note(cl_event event, cl_int, void* data) {
  const auto& entry = *static_cast<Entry*>(data);
  auto& log = *entry.log;
  const int inside = ++log.inside;
  if (inside > log.most)
    log.most = inside;
  cl_int status = 77;
  EXPECT_EQ(
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(status, CL_COMPLETE);
  std::this_thread::sleep_for(milliseconds(entry.sleep));
  log.add(entry.index);
  --log.inside;
  ++log.called;
}

class CallbackOrderTest : public ApiTest {
 protected:
  Event user_event() {
    cl_int status = 1;
    Event event(clCreateUserEvent(context_, &status));
    check(status, "clCreateUserEvent");
    return event;
  }
  Event marker(cl_command_queue queue, cl_event wait) {
    Event event;
    check(clEnqueueMarkerWithWaitList(queue, 1, &wait, event.out()), "marker");
    return event;
  }
  static void expect_order(const Log& log, int count) {
    ASSERT_EQ(log.order.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      EXPECT_EQ(log.order[static_cast<std::size_t>(i)], i);
    EXPECT_EQ(log.most, 1);
  }
};

// The longer callbacks are those of earlier commands.
TEST_F(CallbackOrderTest, OfAChain) {
  constexpr int kCount = 8;
  for (const cl_command_queue_properties properties :
       {cl_command_queue_properties{0},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    const auto queue = make_queue(context_, properties);
    Log log;
    std::vector<Entry> entries;
    for (int i = 0; i < kCount; ++i)
      entries.push_back({&log, i, 4 * (kCount - i)});
    const auto gate = user_event();
    std::vector<Event> markers;
    for (auto& entry : entries) {
      markers.push_back(marker(queue, markers.empty() ? gate : markers.back()));
      ASSERT_EQ(clSetEventCallback(markers.back(), CL_COMPLETE, note, &entry), CL_SUCCESS);
    }
    ASSERT_EQ(clFlush(queue), CL_SUCCESS);
    ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ASSERT_TRUE(log.wait_for(kCount));
    expect_order(log, kCount);
  }
}

TEST_F(CallbackOrderTest, OfKernels) {
  constexpr int kCount = 1000;
  const auto program =
      build(context_, "kernel void add(global int* sums) { sums[get_global_id(0)] += 1; }");
  const auto kernel = make_kernel(program, "add");
  const auto buffer = make_buffer(context_, 256, std::vector<cl_int>(64).data());
  set_args(kernel, buffer);
  Log log;
  std::vector<Entry> entries;
  for (int i = 0; i < kCount; ++i)
    entries.push_back({&log, i, i % 100 == 0});
  for (auto& entry : entries) {
    Event event;
    const size_t size = 64;
    ASSERT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &size, nullptr, 0, nullptr, event.out()),
        CL_SUCCESS);
    ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, note, &entry), CL_SUCCESS);
  }
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  ASSERT_TRUE(log.wait_for(kCount));
  EXPECT_EQ(log.most, 1);
  // Where a callback is registered when its command has finished, that is when it is due.
  int behind = 0;
  for (std::size_t i = 1; i < log.order.size(); ++i)
    behind += log.order[i] < log.order[i - 1];
  EXPECT_EQ(behind, 0);
}

// Other queues do not wait.
TEST_F(CallbackOrderTest, OfTwoQueues) {
  const auto other = make_queue(context_);
  const auto gate = user_event();
  struct State {
    std::atomic<bool> may_return{false}, has_returned{false};
  } state;
  const auto first = marker(queue_, gate), second = marker(other, gate);
  ASSERT_EQ(clSetEventCallback(
                first, CL_COMPLETE,
                [](cl_event, cl_int, void* data) {
                  auto& own = *static_cast<State*>(data);
                  while (!own.may_return)
                    std::this_thread::sleep_for(milliseconds(1));
                  own.has_returned = true;
                },
                &state),
            CL_SUCCESS);
  ASSERT_EQ(clSetEventCallback(
                second, CL_COMPLETE,
                [](cl_event, cl_int, void* data) { static_cast<State*>(data)->may_return = true; },
                &state),
            CL_SUCCESS);
  ASSERT_EQ(clFlush(queue_), CL_SUCCESS);
  ASSERT_EQ(clFlush(other), CL_SUCCESS);
  std::thread setter([&] { EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS); });
  for (int i = 0; i < 6000 && !state.has_returned; ++i)
    std::this_thread::sleep_for(milliseconds(10));
  EXPECT_TRUE(state.has_returned);
  state.may_return = true;
  setter.join();
}

// Each callback waits for what the next one of its queue sets, more of them than nest on a stack.
TEST_F(CallbackOrderTest, OneThatWaitsForALaterOne) {
  constexpr int kCount = 24;
  struct Link {
    cl_event wait = nullptr, set = nullptr;
    std::atomic<int>* returned = nullptr;
  };
  std::atomic<int> returned{0};
  std::vector<Event> users;
  for (int i = 0; i <= kCount; ++i)
    users.push_back(user_event());
  std::vector<Link> links(kCount);
  const auto gate = user_event();
  cl_event last = gate;
  std::vector<Event> markers;
  for (std::size_t i = 0; i < links.size(); ++i) {
    links[i] = {i + 1 < links.size() ? users[i + 1].get() : nullptr, users[i].get(), &returned};
    markers.push_back(marker(queue_, last));
    last = markers.back();
    ASSERT_EQ(clSetEventCallback(
                  last, CL_COMPLETE,
                  [](cl_event, cl_int, void* data) {
                    auto& link = *static_cast<Link*>(data);
                    if (link.wait) {
                      EXPECT_EQ(clWaitForEvents(1, &link.wait), CL_SUCCESS);
                    }
                    EXPECT_EQ(clSetUserEventStatus(link.set, CL_COMPLETE), CL_SUCCESS);
                    ++*link.returned;
                  },
                  &links[i]),
              CL_SUCCESS);
  }
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  for (int i = 0; i < 6000 && returned < kCount; ++i)
    std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(returned, kCount);
  ASSERT_EQ(clSetUserEventStatus(users.back(), CL_COMPLETE), CL_SUCCESS);
}

// Also where the callbacks hold a lock meanwhile, which a nested one could not take.
TEST_F(CallbackOrderTest, OneThatWaitsWithALock) {
  struct State {
    std::mutex lock;
    cl_event wait = nullptr;
    std::atomic<int> begun{0}, returned{0};
  } state;
  const auto gate = user_event(), later = user_event();
  state.wait = later;
  std::vector<Event> markers;
  for (int i = 0; i < 4; ++i) {
    markers.push_back(marker(queue_, markers.empty() ? gate : markers.back()));
    ASSERT_EQ(clSetEventCallback(
                  markers.back(), CL_COMPLETE,
                  [](cl_event, cl_int, void* data) {
                    auto& shared = *static_cast<State*>(data);
                    ++shared.begun;
                    const std::lock_guard lock(shared.lock);
                    EXPECT_EQ(clWaitForEvents(1, &shared.wait), CL_SUCCESS);
                    ++shared.returned;
                  },
                  &state),
              CL_SUCCESS);
  }
  ASSERT_EQ(clFlush(queue_), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  for (int i = 0; i < 1000 && state.begun < 2; ++i)
    std::this_thread::sleep_for(milliseconds(10));
  EXPECT_GE(state.begun, 2);
  ASSERT_EQ(clSetUserEventStatus(later, CL_COMPLETE), CL_SUCCESS);
  for (int i = 0; i < 3000 && state.returned < 4; ++i)
    std::this_thread::sleep_for(milliseconds(10));
  ASSERT_EQ(state.returned, 4);
}

// Callbacks that enqueue the next command, without an end: a call of the program that calls one of
// them returns.
TEST_F(CallbackOrderTest, OfAnEndlessStream) {
  constexpr int kMost = 2000;
  struct Stream {
    cl_command_queue queue = nullptr;
    std::atomic<bool> stops{false}, has_ended{false};
    std::atomic<int> called{0};
    static void CL_CALLBACK go_on(cl_event, cl_int, void* data) {
      auto& stream = *static_cast<Stream*>(data);
      if (stream.stops || ++stream.called == kMost) {
        stream.has_ended = true;
        return;
      }
      Event next;
      EXPECT_EQ(clEnqueueMarkerWithWaitList(stream.queue, 0, nullptr, next.out()), CL_SUCCESS);
      EXPECT_EQ(clFlush(stream.queue), CL_SUCCESS);
      // Registered as late as possible, or when the command has not finished.
      if (stream.called % 2 == 0)
        std::this_thread::sleep_for(milliseconds(1));
      EXPECT_EQ(clSetEventCallback(next, CL_COMPLETE, go_on, data), CL_SUCCESS);
      std::this_thread::sleep_for(milliseconds(1));
    }
  } stream;
  stream.queue = queue_;
  Event first;
  check(clEnqueueMarkerWithWaitList(queue_, 0, nullptr, first.out()), "marker");
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  ASSERT_EQ(clSetEventCallback(first, CL_COMPLETE, Stream::go_on, &stream), CL_SUCCESS);
  EXPECT_LT(stream.called, kMost);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_LT(stream.called, kMost);
  stream.stops = true;
  for (int i = 0; i < 3000 && !stream.has_ended; ++i)
    std::this_thread::sleep_for(milliseconds(10));
  ASSERT_TRUE(stream.has_ended);
}

// A failed wait list ends the commands one after the other.
TEST_F(CallbackOrderTest, OfFailedCommands) {
  constexpr int kCount = 200;
  struct Failed {
    Log* log;
    int index;
  };
  Log log;
  std::vector<Failed> entries;
  for (int i = 0; i < kCount; ++i)
    entries.push_back({&log, i});
  const auto gate = user_event();
  std::vector<Event> markers;
  for (auto& entry : entries) {
    markers.push_back(marker(queue_, markers.empty() ? gate : markers.back()));
    ASSERT_EQ(clSetEventCallback(
                  markers.back(), CL_COMPLETE,
                  [](cl_event, cl_int status, void* data) {
                    const auto& own = *static_cast<Failed*>(data);
                    EXPECT_LT(status, 0);
                    const int inside = ++own.log->inside;
                    if (inside > own.log->most)
                      own.log->most = inside;
                    own.log->add(own.index);
                    --own.log->inside;
                    ++own.log->called;
                  },
                  &entry),
              CL_SUCCESS);
  }
  ASSERT_EQ(clFlush(queue_), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, -5), CL_SUCCESS);
  ASSERT_TRUE(log.wait_for(kCount));
  expect_order(log, kCount);
}

} // namespace
} // namespace heddle::test
