// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of events against a model: every command runs once, after all its dependencies, with the
// specification's status.
#include "tests/runtime/engine.h"

#include <chrono>
#include <malloc.h>
#include <random>

namespace heddle::test {
namespace {

struct Node {
  std::vector<int> waits;   // nodes in its wait list
  std::vector<int> after;   // nodes that precede it only in queue order
  cl_int own = CL_COMPLETE; // what it answers when it runs
  cl_int expected = CL_COMPLETE;
  bool user = false;
  bool runs = true;
  Ref<Event> event;
  std::atomic<int> ran{0};
  struct Told {
    std::atomic<int> times{0};
    std::atomic<cl_int> status{1000};
    static void CL_CALLBACK tell(cl_event, cl_int status, void* data) {
      auto& told = *static_cast<Told*>(data);
      told.status = status;
      ++told.times;
    }
  } told[3]; // by CL_COMPLETE, CL_RUNNING, CL_SUBMITTED
  bool has_callbacks = false;
};

class Graph {
 public:
  Graph(unsigned seed, int size) : random_(seed), nodes_(static_cast<std::size_t>(size)) {
    // Two devices: all processors, and one of them.
    for (auto* device : {engine_.device.get(), part_.get()})
      for (const cl_command_queue_properties flags :
           {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE})
        if (device == engine_.device.get() || flags != CL_QUEUE_PROFILING_ENABLE)
          queues_.push_back(make_ref<Queue>(*engine_.context, *device, flags, QueueHints{},
                                            std::vector<cl_queue_properties>{}));
    last_.assign(queues_.size(), -1);
    barrier_.assign(queues_.size(), -1);
    members_.resize(queues_.size());
  }

  void run() {
    std::vector<int> users;
    for (int i = 0; i < size(); ++i) {
      add(i);
      if (pick(5) == 0)
        add_callbacks(i);
      if (node(i).user)
        users.push_back(i);
      // Some are set while commands are still being enqueued.
      if (!users.empty() && pick(4) == 0)
        set(users, static_cast<std::size_t>(pick(static_cast<int>(users.size()))));
    }
    std::vector<std::thread> setters;
    std::shuffle(users.begin(), users.end(), random_);
    for (int t = 0; t < 3; ++t)
      setters.emplace_back([&, t] {
        for (std::size_t i = static_cast<std::size_t>(t); i < users.size(); i += 3)
          node(users[i]).event.get()->set_user_status(node(users[i]).own);
      });
    if (pick(2))
      node(size() - 1).event->wait();
    for (auto& setter : setters)
      setter.join();
    for (auto& queue : queues_)
      EXPECT_EQ(queue->finish(), CL_SUCCESS);
    for (int i = 0; i < size(); ++i) {
      ASSERT_EQ(node(i).event->status(), node(i).expected) << "node " << i;
      ASSERT_EQ(node(i).ran, !node(i).user && node(i).runs ? 1 : 0) << "node " << i;
    }
    EXPECT_EQ(out_of_turn_, 0);
    for (int i = 0; i < size(); ++i) {
      check_times(i);
      check_callbacks(i);
    }
  }

 private:
  void check_times(int i) {
    const auto& event = *node(i).event;
    cl_ulong times[5]{};
    const bool available = event.queue() && event.queue()->profiling() && node(i).expected == 0;
    for (int t = 0; t < 5; ++t)
      ASSERT_EQ(
          event.profiling_time(CL_PROFILING_COMMAND_QUEUED + static_cast<cl_uint>(t), &times[t]),
          available);
    for (int t = 0; t < 4; ++t)
      ASSERT_LE(times[t], times[t + 1]) << "node " << i;
  }

  void check_callbacks(int i) {
    auto& self = node(i);
    if (!self.has_callbacks)
      return;
    for (int state = CL_COMPLETE; state <= CL_SUBMITTED; ++state) {
      auto& told = self.told[state];
      ASSERT_TRUE(eventually([&] { return told.times == 1; })) << "node " << i;
      if (self.expected == CL_COMPLETE)
        ASSERT_EQ(told.status, state);
      else if (state == CL_COMPLETE)
        ASSERT_EQ(told.status, self.expected);
      else // reached before it failed, or never
        ASSERT_TRUE(told.status == state || told.status == self.expected);
    }
  }

  void add_callbacks(int i) {
    auto& self = node(i);
    self.has_callbacks = true;
    for (int state = CL_COMPLETE; state <= CL_SUBMITTED; ++state)
      EXPECT_EQ(self.event->add_callback(state, Node::Told::tell, &self.told[state]), CL_SUCCESS);
  }

  int size() const { return static_cast<int>(nodes_.size()); }
  Node& node(int i) { return nodes_[static_cast<std::size_t>(i)]; }
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  void set(std::vector<int>& users, std::size_t at) {
    node(users[at]).event->set_user_status(node(users[at]).own);
    users.erase(users.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void add(int i) {
    auto& self = node(i);
    if (i == 0 || pick(10) == 0) {
      self.user = true;
      self.own = self.expected = pick(5) == 0 ? -1000 : CL_COMPLETE;
      self.event = engine_.user_event();
      return;
    }
    for (int w = pick(4); w > 0; --w)
      self.waits.push_back(pick(4) ? std::max(0, i - 1 - pick(8)) : pick(i));
    self.own = pick(20) == 0 ? -2000 - i : CL_COMPLETE;
    const auto q = static_cast<std::size_t>(pick(static_cast<int>(queues_.size())));
    auto& queue = *queues_[q];
    if (queue.in_order() && last_[q] >= 0)
      self.after.push_back(last_[q]);
    if (barrier_[q] >= 0)
      self.after.push_back(barrier_[q]);
    std::vector<Event*> waits;
    for (const int w : self.waits) {
      waits.push_back(node(w).event.get());
      if (node(w).expected < 0) {
        self.runs = false;
        self.expected = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
      }
    }
    if (self.runs)
      self.expected = self.own;
    if (pick(12) == 0) { // a barrier or marker without a list: after all commands of its queue
      const bool barrier = pick(2);
      self.waits.clear();
      self.runs = false;
      self.expected = CL_COMPLETE;
      cl_event handle = nullptr;
      EXPECT_EQ(queue.enqueue_marker({}, &handle, barrier), CL_SUCCESS);
      self.event = Ref<Event>(find<Event>(handle));
      EXPECT_TRUE(self.event->release_user());
      if (barrier && !queue.in_order())
        barrier_[q] = i;
    } else {
      self.event = call(
          queue,
          [this, i]() -> cl_int {
            auto& me = node(i);
            for (const auto* list : {&me.waits, &me.after})
              for (const int w : *list)
                if (!node(w).event->finished())
                  ++out_of_turn_;
            ++me.ran;
            return me.own;
          },
          waits);
    }
    last_[q] = i;
    members_[q].push_back(i);
  }

  Engine engine_;
  Ref<Device> part_ = make_ref<Device>(engine_.device.get(), std::vector<int>{0},
                                       std::vector<cl_device_partition_property>{});
  std::mt19937 random_;
  std::vector<Node> nodes_;
  std::vector<Ref<Queue>> queues_;
  std::vector<int> last_, barrier_;
  std::vector<std::vector<int>> members_;
  std::atomic<int> out_of_turn_{0};
};

TEST(EventGraph, RandomGraphsAgreeWithTheModel) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph(seed, 500).run();
    if (HasFatalFailure() || HasNonfatalFailure())
      return;
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

constexpr int kMany = 100'000;
#if defined(__SANITIZE_THREAD__)
constexpr double kMaxSeconds = 100;
#else
constexpr double kMaxSeconds = 10;
#endif

TEST(EventGraph, ChainOfManyEndsWhenItsUserEventIsSet) {
  for (const cl_int status : {CL_COMPLETE, -9}) {
    Engine engine;
    const auto queue = engine.out_of_order();
    const auto user = engine.user_event();
    std::atomic<int> ran{0};
    Ref<Event> last(user.get());
    for (int i = 0; i < kMany; ++i)
      last = call(*queue,
                  [&ran]() -> cl_int {
                    ran.fetch_add(1, std::memory_order_relaxed);
                    return CL_COMPLETE;
                  },
                  {last.get()});
    const auto start = std::chrono::steady_clock::now();
    user->set_user_status(status);
    last->wait();
    EXPECT_LT(seconds_since(start), kMaxSeconds);
    EXPECT_EQ(ran, status ? 0 : kMany);
    EXPECT_EQ(last->status(), status ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE);
    queue->finish();
  }
}

TEST(EventGraph, ManyDependantsOfOneEvent) {
  Engine engine;
  const auto queue = engine.out_of_order();
  const auto user = engine.user_event();
  std::atomic<int> ran{0};
  for (int i = 0; i < kMany; ++i)
    call(*queue,
         [&ran]() -> cl_int {
           ran.fetch_add(1, std::memory_order_relaxed);
           return CL_COMPLETE;
         },
         {user.get()});
  const auto start = std::chrono::steady_clock::now();
  user->set_user_status(CL_COMPLETE);
  queue->finish();
  EXPECT_LT(seconds_since(start), kMaxSeconds);
  EXPECT_EQ(ran, kMany);
}

TEST(EventGraph, ListsOfThousands) {
  Engine engine;
  const auto queue = engine.out_of_order();
  const auto other = engine.queue();
  const auto user = engine.user_event();
  constexpr int kEvents = 20'000;
  std::vector<Ref<Event>> events;
  std::vector<Event*> list;
  for (int i = 0; i < kEvents; ++i) {
    events.push_back(call(
        i % 2 ? *queue : *other, []() -> cl_int { return CL_COMPLETE; },
        i == 0 ? std::vector<Event*>{user.get()} : std::vector<Event*>{}));
    list.push_back(events.back().get());
  }
  int unfinished = -1;
  const auto last = call(
      *queue,
      [&]() -> cl_int {
        unfinished = 0;
        for (const auto& event : events)
          unfinished += !event->finished();
        return CL_COMPLETE;
      },
      list);
  user->set_user_status(CL_COMPLETE);
  last->wait();
  EXPECT_EQ(unfinished, 0);
}

// Each waits for all earlier ones, without a list of them: 10,000 such lists would need a gigabyte.
TEST(EventGraph, MarkersBehindManyCommands) {
  Engine engine;
  const auto queue = engine.out_of_order();
  const auto user = engine.user_event();
  std::atomic<int> ran{0}, early{0};
  std::vector<Ref<Event>> markers;
  const auto start = std::chrono::steady_clock::now();
  const auto before = mallinfo2();
  for (int i = 0; i < 10'000; ++i) {
    call(*queue,
         [&ran]() -> cl_int {
           ++ran;
           return CL_COMPLETE;
         },
         {user.get()});
    cl_event handle = nullptr;
    ASSERT_EQ(queue->enqueue_marker({}, &handle, i % 3 == 0), CL_SUCCESS);
    markers.emplace_back(find<Event>(handle));
    EXPECT_TRUE(markers.back()->release_user());
    // Commands that wait for a marker run after all that the marker waits for.
    call(*queue,
         [&ran, &early, i]() -> cl_int {
           early += ran <= i;
           return CL_COMPLETE;
         },
         {markers.back().get()});
  }
  const auto after = mallinfo2();
  EXPECT_LT(after.uordblks + after.hblkhd, before.uordblks + before.hblkhd + (64u << 20));
  user->set_user_status(CL_COMPLETE);
  queue->finish();
  EXPECT_LT(seconds_since(start), 30);
  EXPECT_EQ(ran, 10'000);
  EXPECT_EQ(early, 0);
}

// Several host threads enqueue, wait and finish at once.
TEST(EventGraph, ManyHostThreads) {
  Engine engine;
  std::vector<std::thread> hosts;
  std::atomic<int> ran{0};
  for (int h = 0; h < 6; ++h)
    hosts.emplace_back([&, h] {
      std::mt19937 random(static_cast<unsigned>(h));
      const auto queue = h % 2 ? engine.queue() : engine.out_of_order();
      Ref<Event> last;
      for (int i = 0; i < 3000; ++i) {
        last = call(
            *queue,
            [&ran]() -> cl_int {
              ran.fetch_add(1, std::memory_order_relaxed);
              return CL_COMPLETE;
            },
            last&& random() % 2 ? std::vector<Event*>{last.get()} : std::vector<Event*>{});
        if (random() % 16 == 0)
          last->wait();
        if (random() % 64 == 0)
          queue->finish();
        if (random() % 512 == 0) // long enough for runners to go and threads to sleep
          std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      queue->finish();
    });
  for (auto& host : hosts)
    host.join();
  EXPECT_EQ(ran, 18'000);
}

// No thread spin-waits, so a lost wake-up would leave the command pending.
TEST(EventGraph, CommandsRunWithoutAnybodyWaiting) {
  Engine engine;
  const auto one = engine.queue();
  const auto two = engine.queue();
  std::atomic<int> ran{0};
  for (int i = 0; i < 4000; ++i) {
    for (auto* queue : {one.get(), two.get()})
      call(*queue, [&ran]() -> cl_int {
        ++ran; // releases what is on this test's stack
        return CL_COMPLETE;
      });
    if (i % 8 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(40 + i % 40));
    if (i % 100 == 0) {
      ASSERT_TRUE(eventually([&] { return ran == 2 * (i + 1); })) << i;
    }
  }
  EXPECT_TRUE(eventually([&] { return ran == 8000; }));
}

} // namespace
} // namespace heddle::test
