// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ND-ranges: every work-item runs once for any shape; the number of participating threads; overlap
// of commands.
#include "runtime/core/clock.h"
#include "runtime/device/cpu_list.h"
#include "runtime/device/thread_count.h"
#include "tests/runtime/engine.h"

#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {
namespace {

struct Counts {
  std::vector<std::atomic<int>> items;
  std::atomic<int> misaligned{0};
  explicit Counts(std::size_t size) : items(size) {}
};

void count_items(const abi::Launch* launch, std::uint64_t first, std::uint64_t last,
                 abi::Worker* worker) {
  auto& counts = argument<Counts>(launch);
  for (auto g = first; g < last; ++g) {
    const auto group = make_group(launch, g, worker);
    if (reinterpret_cast<std::uintptr_t>(worker->local_memory) % 128 != 0)
      ++counts.misaligned;
    if (worker->local_memory)
      std::memset(worker->local_memory, 1, 3000); // as much as the test asks for
    for (std::uint64_t z = 0; z < group.local_size[2]; ++z)
      for (std::uint64_t y = 0; y < group.local_size[1]; ++y)
        for (std::uint64_t x = 0; x < group.local_size[0]; ++x) {
          const std::uint64_t id[3] = {group.group_id[0] * launch->local_size[0] + x,
                                       group.group_id[1] * launch->local_size[1] + y,
                                       group.group_id[2] * launch->local_size[2] + z};
          ++counts.items[(id[2] * launch->global_size[1] + id[1]) * launch->global_size[0] + id[0]];
        }
  }
}

TEST(KernelCommand, EveryWorkItemRunsOnce) {
  Engine engine;
  const auto queue = engine.out_of_order();
  const TestKernel kernel(count_items);
  const NDRange ranges[] = {
      {1, {}, {1, 1, 1}, {1, 1, 1}},       {1, {}, {1'000'000, 1, 1}, {64, 1, 1}},
      {1, {}, {100'003, 1, 1}, {7, 1, 1}}, {2, {}, {1000, 77, 1}, {16, 16, 1}},
      {3, {}, {33, 65, 17}, {8, 4, 2}},    {3, {}, {1, 1, 50'000}, {1, 1, 3}},
  };
  for (int round = 0; round < 3; ++round)
    for (const auto& range : ranges) {
      Counts counts(range.global_size[0] * range.global_size[1] * range.global_size[2]);
      const auto event = kernel.enqueue(*queue, &counts, range, round == 1 ? 3000 : 0);
      event->wait();
      ASSERT_EQ(event->status(), CL_COMPLETE);
      EXPECT_EQ(counts.misaligned, 0);
      for (auto& count : counts.items)
        ASSERT_EQ(count, 1);
    }
}

// A kernel whose groups wait for each other, so that it needs a certain number of threads.
struct Meeting {
  int wanted;
  std::atomic<int> arrived{0};
  std::atomic<bool> late{false};
};

void meet(const abi::Launch* launch, std::uint64_t first, std::uint64_t last, abi::Worker*) {
  auto& meeting = argument<Meeting>(launch);
  for (auto g = first; g < last; ++g) {
    if (meeting.wanted == 0) { // only to be known as a slow kernel, which is shared out at once
      usleep(1000);
      continue;
    }
    ++meeting.arrived;
    const auto start = monotonic_nanoseconds();
    while (meeting.arrived < meeting.wanted && !meeting.late) {
      if (monotonic_nanoseconds() - start > 20'000'000'000u)
        meeting.late = true;
      std::this_thread::yield();
    }
  }
}

TEST(KernelCommand, IndependentCommandsOverlap) {
  Engine engine;
  const TestKernel kernel(meet);
  const auto queue = engine.out_of_order();
  const auto other = engine.queue();
  for (const bool same_queue : {true, false}) {
    Meeting meeting{2};
    kernel.enqueue(*queue, &meeting, range_1d(1, 1));
    kernel.enqueue(same_queue ? *queue : *other, &meeting, range_1d(1, 1));
    queue->finish();
    other->finish();
    EXPECT_FALSE(meeting.late);
  }
}

// Runs this program with that many threads; `what` selects the test.
int in_process(const char* threads, const char* what) {
  const auto child = fork();
  if (child == 0) {
    setenv("HEDDLE_NUM_THREADS", threads, 1);
    execl("/proc/self/exe", "test", what, nullptr);
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

void sleep_in_group(const abi::Launch* launch, std::uint64_t first, std::uint64_t last,
                    abi::Worker*) {
  static std::mutex mutex;
  for (auto g = first; g < last; ++g) {
    {
      const std::lock_guard lock(mutex);
      argument<std::set<std::thread::id>>(launch).insert(std::this_thread::get_id());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// The kernel's cost is unknown, and an estimate from its few work-items would run it on one thread.
TEST(KernelCommand, FirstLaunchOfASlowKernelIsShared) {
  Engine engine;
  const TestKernel kernel(sleep_in_group);
  std::set<std::thread::id> threads;
  const auto event = kernel.enqueue(*engine.queue(), &threads, range_1d(60, 1));
  event->wait();
  EXPECT_GE(threads.size(), 2u);
}

TEST(KernelCommand, SameKernelMayBecomeSlow) {
  struct Work {
    std::atomic<int> sleep_us{0};
    std::mutex mutex;
    std::set<std::thread::id> threads;
  } work;
  const auto code =
      +[](const abi::Launch* launch, std::uint64_t first, std::uint64_t last, abi::Worker*) {
        auto& w = argument<Work>(launch);
        if (w.sleep_us == 0)
          return;
        for (auto g = first; g < last; ++g) {
          {
            const std::lock_guard lock(w.mutex);
            w.threads.insert(std::this_thread::get_id());
          }
          usleep(static_cast<unsigned>(w.sleep_us));
        }
      };
  Engine engine;
  const auto queue = engine.queue();
  const TestKernel kernel(code);
  for (int i = 0; i < 30; ++i)
    kernel.enqueue(*queue, &work, range_1d(64, 1));
  queue->finish();
  work.sleep_us = 2000;
  kernel.enqueue(*queue, &work, range_1d(64, 1))->wait();
  EXPECT_GE(work.threads.size(), 2u);
}

// Sizes near 2^64: the number of groups must not overflow to zero.
TEST(KernelCommand, HugeRangesAreNotEmpty) {
  Engine engine;
  const auto queue = engine.queue();
  const auto code = +[](const abi::Launch* launch, std::uint64_t, std::uint64_t, abi::Worker*) {
    ++argument<std::atomic<int>>(launch);
    __builtin_trap(); // ends the range
  };
  const TestKernel kernel(code);
  std::atomic<int> calls{0};
  const auto event = kernel.enqueue(*queue, &calls, range_1d(SIZE_MAX, 256));
  ASSERT_TRUE(eventually([&] { return event->finished(); })) << "what is left must be given up";
  EXPECT_GE(calls, 1);
  EXPECT_EQ(event->status(), CL_OUT_OF_RESOURCES);
}

} // namespace

// Bodies for in_process.
int meet_with_all_threads() {
  Engine engine;
  Meeting nobody{0}, meeting{static_cast<int>(thread_count())};
  const TestKernel kernel(meet);
  kernel.enqueue(*engine.queue(), &nobody, range_1d(16, 1))->wait();
  const auto event = kernel.enqueue(*engine.queue(), &meeting, range_1d(thread_count() * 4, 1));
  event->wait();
  return meeting.late || event->status() != CL_COMPLETE ? 1 : 0;
}

// Using a sub-device first must not limit the threads of the root device.
int sub_device_first() {
  Engine engine;
  const auto part = make_ref<Device>(engine.device.get(), affinity_cpus(),
                                     std::vector<cl_device_partition_property>{});
  std::string reports;
  const auto context = Engine::make_context(*part, &reports);
  const auto queue = make_ref<Queue>(*context, *part, cl_command_queue_properties{0}, QueueHints{},
                                     std::vector<cl_queue_properties>{});
  if (call(*queue, []() -> cl_int { return CL_COMPLETE; }), queue->finish() != CL_SUCCESS)
    return 2;
  return meet_with_all_threads();
}

TEST(KernelCommand, MoreThreadsThanProcessorsAreReallyUsed) {
  EXPECT_EQ(in_process("48", "--meet"), 0);
}

TEST(KernelCommand, SubDevicesDoNotLimitTheRootDevice) {
  EXPECT_EQ(in_process("8", "--sub-device-first"), 0);
}

TEST(KernelCommand, OneThreadIsEnough) { EXPECT_EQ(in_process("1", "--meet"), 0); }

} // namespace heddle::test

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--meet")
    return heddle::test::meet_with_all_threads();
  if (argc == 2 && std::string(argv[1]) == "--sub-device-first")
    return heddle::test::sub_device_first();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
