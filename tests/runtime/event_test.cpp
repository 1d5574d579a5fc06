// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events one by one: states, failures, callbacks, profiling.
#include "tests/runtime/engine.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace heddle::test {
namespace {

TEST(Event, UserEventIsSetOnce) {
  Engine engine;
  const auto user = engine.user_event();
  EXPECT_EQ(user->status(), CL_SUBMITTED);
  EXPECT_EQ(user->set_user_status(CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(user->set_user_status(-5), CL_INVALID_OPERATION);
  EXPECT_EQ(user->status(), CL_COMPLETE);
}

TEST(Event, FailureIsPassedOnByWaitListsOnly) {
  Engine engine;
  const auto queue = engine.queue();
  const auto user = engine.user_event();
  std::atomic<int> ran{0};
  const auto body = [&ran]() -> cl_int {
    ++ran;
    return CL_COMPLETE;
  };
  const auto waits = call(*queue, body, {user.get()});
  const auto behind = call(*queue, body);
  const auto waits_for_failed = call(*queue, body, {waits.get()});
  user->set_user_status(-77);
  EXPECT_EQ(queue->finish(), CL_SUCCESS);
  EXPECT_EQ(waits->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(behind->status(), CL_COMPLETE);
  EXPECT_EQ(waits_for_failed->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(ran, 1);
  // Also with one that has already failed.
  const auto late = call(*queue, body, {user.get()});
  queue->finish();
  EXPECT_EQ(late->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST(Event, BlockingEnqueueAnswersTheCommandsError) {
  Engine engine;
  const auto queue = engine.queue();
  EXPECT_EQ(queue->enqueue(make_command(*queue, CL_COMMAND_READ_BUFFER,
                                        []() -> cl_int { return CL_OUT_OF_RESOURCES; }),
                           {}, nullptr, true),
            CL_OUT_OF_RESOURCES);
}

TEST(Event, CallbacksForEachState) {
  Engine engine;
  const auto queue = engine.queue();
  const auto user = engine.user_event();
  struct Seen {
    std::atomic<int> submitted{1}, running{1}, complete{1}, late{1};
  } seen;
  const auto store = [](cl_event, cl_int status, void* into) {
    static_cast<std::atomic<int>*>(into)->store(status + 100);
  };
  std::atomic<bool> saw_running_first{false};
  const auto event = call(*queue,
                          [&]() -> cl_int {
                            saw_running_first = seen.running == CL_RUNNING + 100;
                            return CL_COMPLETE;
                          },
                          {user.get()});
  ASSERT_EQ(event->add_callback(CL_SUBMITTED, store, &seen.submitted), CL_SUCCESS);
  ASSERT_EQ(event->add_callback(CL_RUNNING, store, &seen.running), CL_SUCCESS);
  ASSERT_EQ(event->add_callback(CL_COMPLETE, store, &seen.complete), CL_SUCCESS);
  EXPECT_EQ(seen.submitted, 1);
  user->set_user_status(CL_COMPLETE);
  queue->finish();
  EXPECT_TRUE(eventually([&] { return seen.complete == CL_COMPLETE + 100; }));
  EXPECT_TRUE(saw_running_first);
  EXPECT_EQ(seen.submitted, CL_SUBMITTED + 100);
  ASSERT_EQ(event->add_callback(CL_RUNNING, store, &seen.late), CL_SUCCESS);
  queue->enqueue_marker({}, nullptr, false); // runs what this thread still owes
  EXPECT_TRUE(eventually([&] { return seen.late == CL_RUNNING + 100; }));
}

TEST(Event, CallbacksOfAFailureSeeTheError) {
  Engine engine;
  const auto queue = engine.queue();
  std::atomic<int> complete{1}, running{1};
  const auto store = [](cl_event, cl_int status, void* into) {
    static_cast<std::atomic<int>*>(into)->store(status);
  };
  const auto user = engine.user_event();
  const auto event = call(*queue, []() -> cl_int { return CL_COMPLETE; }, {user.get()});
  event->add_callback(CL_COMPLETE, store, &complete);
  event->add_callback(CL_RUNNING, store, &running);
  user->set_user_status(-3);
  queue->finish();
  EXPECT_TRUE(eventually([&] {
    return complete == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
           running == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  }));
}

// A callback enqueues and waits, and so does the callback of that, a hundred deep.
struct Nest {
  Queue* queue;
  std::atomic<int> left{100};
  std::atomic<int> returned{0};
  std::atomic<bool> failed{false};
  static void CL_CALLBACK enter(cl_event, cl_int, void* data) {
    auto& nest = *static_cast<Nest*>(data);
    if (nest.left.fetch_sub(1) > 0)
      nest.enqueue_and_wait();
    nest.returned.fetch_add(1); // last: the test may end now
  }
  void enqueue_and_wait() {
    const auto event = call(*queue, []() -> cl_int { return CL_COMPLETE; });
    event->add_callback(CL_COMPLETE, enter, this);
    if (queue->finish() != CL_SUCCESS || event->status() != CL_COMPLETE)
      failed = true;
  }
};

TEST(Event, CallbacksMayEnqueueAndWait) {
  Engine engine;
  const auto queue = engine.queue();
  Nest nest{queue.get()};
  const auto event = call(*queue, []() -> cl_int { return CL_COMPLETE; });
  event->add_callback(CL_COMPLETE, Nest::enter, &nest);
  queue->finish();
  EXPECT_TRUE(eventually([&] { return nest.returned == 101; }));
  EXPECT_FALSE(nest.failed);
}

TEST(Event, ProfilingTimesAreOrdered) {
  Engine engine;
  const auto queue = engine.queue(CL_QUEUE_PROFILING_ENABLE);
  std::vector<Ref<Event>> events;
  const auto user = engine.user_event();
  for (int i = 0; i < 200; ++i)
    events.push_back(call(
        *queue, []() -> cl_int { return CL_COMPLETE; },
        i == 100 ? std::vector<Event*>{user.get()} : std::vector<Event*>{}));
  cl_ulong time;
  EXPECT_FALSE(events[150]->profiling_time(CL_PROFILING_COMMAND_END, &time));
  user->set_user_status(CL_COMPLETE);
  queue->finish();
  cl_ulong before = 0;
  for (const auto& event : events) {
    cl_ulong times[5];
    for (int i = 0; i < 5; ++i)
      ASSERT_TRUE(event->profiling_time(CL_PROFILING_COMMAND_QUEUED + i, &times[i]));
    for (int i = 0; i < 4; ++i)
      EXPECT_LE(times[i], times[i + 1]);
    EXPECT_GT(times[0], 0u);
    EXPECT_GE(times[2], before) << "in order: not before the one in front has ended";
    before = times[3];
  }
}

// OpenCL API 5.11: a user event released without a status never completes.
TEST(Event, ReleasedUserEventKeepsItsDependants) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler kept_for_ever;
#endif
  Engine engine;
  const auto queue = engine.out_of_order();
  auto user = engine.user_event();
  user->retain_user();
  Ref<Event> last;
  std::atomic<int> ran{0};
  for (int i = 0; i < 100'000; ++i)
    last = call(*queue,
                [&ran]() -> cl_int {
                  ++ran;
                  return CL_COMPLETE;
                },
                {last ? last.get() : static_cast<Event*>(user.get())});
  last = nullptr;
  EXPECT_TRUE(user->release_user());
  user = nullptr; // with nothing to keep the chain, destructors would run 100,000 deep
  EXPECT_EQ(ran, 0);
  // The queue must not access commands that were destroyed.
  EXPECT_EQ(queue->enqueue_marker({}, nullptr, false), CL_SUCCESS);
  EXPECT_EQ(ran, 0);
}

} // namespace
} // namespace heddle::test
