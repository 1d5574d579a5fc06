// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who runs brief commands: the thread that waits for them, or a worker if none does.
#include "runtime/core/clock.h"
#include "tests/runtime/engine.h"

namespace heddle::test {
namespace {

struct Runs {
  std::thread::id host = std::this_thread::get_id();
  std::atomic<int> by_host{0};
  std::atomic<int> all{0};
};

void count_runs(const abi::Launch* launch, std::uint64_t, std::uint64_t, abi::Worker*) {
  auto& runs = argument<Runs>(launch);
  ++runs.all;
  if (std::this_thread::get_id() == runs.host)
    ++runs.by_host;
}

class BriefCommands : public testing::Test {
 protected:
  // The kernel's time is known, and workers wait for commands.
  void SetUp() override {
    for (int i = 0; i < 200; ++i)
      kernel_.enqueue(*queue_, &runs_, range_1d(1, 1));
    queue_->finish();
    runs_.by_host = runs_.all = 0;
  }

  Engine engine_;
  const Ref<Queue> queue_ = engine_.queue();
  const TestKernel kernel_{count_runs};
  Runs runs_;
};

TEST_F(BriefCommands, RunOnTheThreadThatWaits) {
  constexpr int kCount = 2000;
  for (int i = 0; i < kCount; ++i)
    kernel_.enqueue(*queue_, &runs_, range_1d(1, 1))->wait();
  EXPECT_EQ(runs_.all, kCount);
  EXPECT_GE(runs_.by_host, kCount / 50 * 49); // the system may stop this thread between the two
}

// Fewer and more than a worker takes at once.
TEST_F(BriefCommands, RunWithoutAnybodyWaiting) {
  constexpr std::uint64_t kAllowed = 100'000'000; // sleeping threads look for work twice as rarely
  for (const int count : {1, 2, 7, 8, 9, 100})
    for (int round = 0; round < 50; ++round) {
      const auto begin = monotonic_nanoseconds();
      Ref<Event> last;
      for (int i = 0; i < count; ++i)
        last = kernel_.enqueue(*queue_, &runs_, range_1d(1, 1));
      while (!last->finished() && monotonic_nanoseconds() - begin < kAllowed)
        std::this_thread::yield();
      ASSERT_TRUE(last->finished()) << count << " commands, round " << round;
    }
  EXPECT_EQ(runs_.by_host, 0);
}

// Also behind a command of another queue that keeps one worker busy.
TEST_F(BriefCommands, RunBesideALongCommand) {
  std::atomic<bool> ends{false};
  const auto other = engine_.queue();
  const auto busy = call(*other, [&ends]() -> cl_int {
    while (!ends)
      std::this_thread::yield();
    return CL_COMPLETE;
  });
  for (int i = 0; i < 200; ++i) {
    const auto event = kernel_.enqueue(*queue_, &runs_, range_1d(1, 1));
    ASSERT_TRUE(eventually([&] { return event->ask_status() == CL_COMPLETE; }));
  }
  ends = true;
  busy->wait();
  EXPECT_EQ(runs_.by_host, 0);
}

// A marker, or a transfer, is left to no thread that is busy with something else.
TEST_F(BriefCommands, MarkersRunBesideALongCommandUnasked) {
  std::atomic<bool> ends{false};
  std::atomic<bool> runs{false};
  const auto other = engine_.queue();
  const auto busy = call(*other, [&]() -> cl_int {
    runs = true;
    while (!ends)
      std::this_thread::yield();
    return CL_COMPLETE;
  });
  ASSERT_TRUE(eventually([&] { return runs.load(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100)); // the other workers end
  ASSERT_EQ(queue_->enqueue_marker({}, nullptr, false), CL_SUCCESS);
  EXPECT_TRUE(eventually([&] { return queue_->is_idle(); }));
  ends = true;
  busy->wait();
  queue_->finish();
}

} // namespace
} // namespace heddle::test
