// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks of the commands of one queue: in the order in which the commands finish, one at a time,
// unless they wait for each other.
#include "tests/runtime/engine.h"

#include <chrono>
#include <mutex>
#include <thread>

namespace heddle::test {
namespace {

using std::chrono::milliseconds;

struct Log {
  std::mutex mutex;
  std::vector<std::size_t> order;
  std::atomic<int> inside{0}, most{0};
  std::atomic<std::size_t> called{0};

  void expect_order(std::size_t count) {
    ASSERT_TRUE(eventually([&] { return called == count; }));
    ASSERT_EQ(order.size(), count);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(order[i], i);
    EXPECT_EQ(most, 1);
  }
};

struct Entry {
  Log* log;
  std::size_t index;
  int sleep;
};

void CL_CALLBACK note(cl_event, cl_int, void* data) {
  const auto& entry = *static_cast<Entry*>(data);
  auto& log = *entry.log;
  const int inside = ++log.inside;
  if (inside > log.most)
    log.most = inside;
  std::this_thread::sleep_for(milliseconds(entry.sleep));
  {
    const std::lock_guard lock(log.mutex);
    log.order.push_back(entry.index);
  }
  --log.inside;
  ++log.called;
}

cl_int nothing() { return CL_COMPLETE; }

// The longer callbacks are those of earlier commands.
TEST(CallbackOrder, OfAChain) {
  constexpr std::size_t kCount = 8;
  for (const cl_command_queue_properties properties :
       {cl_command_queue_properties{0},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    Engine engine;
    const auto queue = engine.queue(properties);
    const auto gate = engine.user_event();
    Log log;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < kCount; ++i)
      entries.push_back({&log, i, 4 * static_cast<int>(kCount - i)});
    std::vector<Ref<Event>> events;
    Event* last = gate.get();
    for (auto& entry : entries) {
      events.push_back(call(*queue, nothing, {last}));
      last = events.back().get();
      ASSERT_EQ(last->add_callback(CL_COMPLETE, note, &entry), CL_SUCCESS);
    }
    gate->set_user_status(CL_COMPLETE);
    queue->finish();
    log.expect_order(kCount);
  }
}

// Also those that are registered when their command has finished.
TEST(CallbackOrder, OfManyCommands) {
  constexpr std::size_t kCount = 3000;
  Engine engine;
  const auto queue = engine.queue();
  Log log;
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < kCount; ++i)
    entries.push_back({&log, i, i % 300 == 0});
  for (auto& entry : entries) {
    const auto event = call(*queue, nothing);
    ASSERT_EQ(event->add_callback(CL_COMPLETE, note, &entry), CL_SUCCESS);
  }
  queue->finish();
  log.expect_order(kCount);
}

// Each callback waits for what the next one of its queue sets; more of them than nest on a stack.
TEST(CallbackOrder, OneThatWaitsForALaterOne) {
  constexpr std::size_t kCount = 24;
  struct Link {
    Event* wait = nullptr;
    Event* set = nullptr;
    std::atomic<std::size_t>* returned = nullptr;
  };
  Engine engine;
  const auto queue = engine.queue();
  const auto gate = engine.user_event();
  std::atomic<std::size_t> returned{0};
  std::vector<Ref<UserEvent>> users;
  for (std::size_t i = 0; i < kCount; ++i)
    users.push_back(engine.user_event());
  std::vector<Link> links(kCount);
  std::vector<Ref<Event>> events;
  Event* last = gate.get();
  for (std::size_t i = 0; i < kCount; ++i) {
    links[i] = {i + 1 < kCount ? users[i + 1].get() : nullptr, users[i].get(), &returned};
    events.push_back(call(*queue, nothing, {last}));
    last = events.back().get();
    const auto wait_and_set = [](cl_event, cl_int, void* data) {
      auto& link = *static_cast<Link*>(data);
      if (link.wait)
        link.wait->wait();
      link.set->set_user_status(CL_COMPLETE);
      ++*link.returned;
    };
    ASSERT_EQ(last->add_callback(CL_COMPLETE, wait_and_set, &links[i]), CL_SUCCESS);
  }
  gate->set_user_status(CL_COMPLETE);
  queue->finish();
  EXPECT_TRUE(eventually([&] { return returned == kCount; }));
}

} // namespace
} // namespace heddle::test
