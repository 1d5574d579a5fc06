// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-groups with barriers: order of items, early returns, group sizes, stacks.
#include "runtime/execution/stack_pool.h"
#include "tests/runtime/engine.h"

#include <sys/mman.h>

namespace heddle::test {
namespace {

struct Steps {
  int rounds = 1;
  std::vector<std::uint64_t> order; // index of each item as it passes
  std::vector<int> stops;           // barrier at which an item returns; none: never early
  std::atomic<int> errors{0};
};

void step_item(const abi::Group* group, std::uint64_t index) {
  auto& steps = argument<Steps>(group->launch);
  auto* phase = reinterpret_cast<std::uint32_t*>(group->local_memory);
  for (int round = 0; round < steps.rounds; ++round) {
    steps.order.push_back(index);
    if (!steps.stops.empty() && steps.stops[index] == round)
      return;
    phase[index] = static_cast<std::uint32_t>(round + 1);
    group->worker->barrier(group->worker);
    // Every other active item has reached the same barrier, and none is beyond it.
    for (std::uint64_t i = 0; i < group->local_size[0]; i += 1 + group->local_size[0] / 64)
      if ((steps.stops.empty() || steps.stops[i] > round) &&
          phase[i] != static_cast<std::uint32_t>(round + 1))
        ++steps.errors;
    group->worker->barrier(group->worker);
  }
}

void run_steps(const abi::Launch* launch, std::uint64_t first, std::uint64_t last,
               abi::Worker* worker) {
  for (auto g = first; g < last; ++g) {
    const auto group = make_group(launch, g, worker);
    worker->run_fibers(&group, step_item, group.local_size[0]);
  }
}

void run_group(Steps& steps, std::size_t items, std::uint64_t stack_bytes = 16384) {
  Engine engine;
  const TestKernel kernel(run_steps, true, stack_bytes);
  const auto event = kernel.enqueue(*engine.queue(), &steps, range_1d(items, items),
                                    items * sizeof(std::uint32_t));
  event->wait();
  EXPECT_EQ(event->status(), CL_COMPLETE);
  EXPECT_EQ(steps.errors, 0);
}

TEST(Fibers, ItemsTakeTurnsInOrder) {
  for (const std::size_t items : {1, 2, 3, 64, 1000, 4096}) {
    Steps steps{3, {}, {}};
    run_group(steps, items);
    ASSERT_EQ(steps.order.size(), 3 * items);
    for (std::size_t i = 0; i < steps.order.size(); ++i)
      ASSERT_EQ(steps.order[i], i % items);
  }
}

TEST(Fibers, ItemsThatReturnEarlyAreGone) {
  for (const int pattern : {0, 1, 2, 3}) {
    Steps steps{4, {}, {}};
    steps.stops.assign(100, 1 << 20);
    for (int i = 0; i < 100; ++i)
      if (pattern == 0 ? i % 2 == 0 : pattern == 1 ? i > 0 : pattern == 2 ? i < 99 : true)
        steps.stops[static_cast<std::size_t>(i)] = pattern == 3 ? i % 4 : i % 3;
    run_group(steps, 100);
    std::size_t expected = 0;
    for (int round = 0; round < 4; ++round)
      for (std::size_t i = 0; i < 100; ++i)
        if (steps.stops[i] >= round) {
          ASSERT_EQ(steps.order.at(expected++), i) << "pattern " << pattern;
        }
    EXPECT_EQ(steps.order.size(), expected);
  }
}

void use_much_stack(const abi::Group* group, std::uint64_t index) {
  volatile char array[200 << 10];
  for (std::size_t i = 0; i < sizeof array; i += 512)
    array[i] = static_cast<char>(index);
  group->worker->barrier(group->worker);
  for (std::size_t i = 0; i < sizeof array; i += 512)
    if (array[i] != static_cast<char>(index))
      ++argument<Steps>(group->launch).errors;
}

TEST(Fibers, LargePrivateArrays) {
  Engine engine;
  const auto code =
      +[](const abi::Launch* launch, std::uint64_t first, std::uint64_t last, abi::Worker* worker) {
        for (auto g = first; g < last; ++g) {
          const auto group = make_group(launch, g, worker);
          worker->run_fibers(&group, use_much_stack, group.local_size[0]);
        }
      };
  const TestKernel kernel(code, true, (200 << 10) + 16384);
  Steps steps;
  const auto event = kernel.enqueue(*engine.queue(), &steps, range_1d(512, 256));
  event->wait();
  EXPECT_EQ(event->status(), CL_COMPLETE);
  EXPECT_EQ(steps.errors, 0);
}

TEST(Fibers, StacksThatCannotBeHadFailTheCommandOnly) {
  Engine engine;
  const auto queue = engine.queue();
  const TestKernel greedy(run_steps, true, std::uint64_t{1} << 40);
  Steps steps;
  const auto failed = greedy.enqueue(*queue, &steps, range_1d(4096, 4096), 4 * 4096);
  const TestKernel modest(run_steps, true);
  const auto event = modest.enqueue(*queue, &steps, range_1d(16, 16), 4 * 16);
  queue->finish();
  EXPECT_EQ(failed->status(), CL_OUT_OF_RESOURCES);
  EXPECT_NE(engine.reports.find("test_kernel"), std::string::npos);
  EXPECT_EQ(event->status(), CL_COMPLETE);
  EXPECT_EQ(steps.order.size(), 16u);
}

TEST(StackPool, GuardsLieBelowEachStack) {
  StackPool pool;
  ASSERT_TRUE(pool.reserve(100, 20'000, true));
  EXPECT_GE(pool.usable_bytes(), 20'000u);
  for (std::size_t i = 0; i < 100; ++i) {
    auto* top = pool.top(i);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(top) % 64, 0u);
    for (auto* at = top - pool.usable_bytes(); at < top; at += 4096)
      *reinterpret_cast<volatile std::byte*>(at) = std::byte{1};
    EXPECT_FALSE(pool.is_guard(top - pool.usable_bytes()));
  }
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(pool.top(0)) % 4096,
            reinterpret_cast<std::uintptr_t>(pool.top(1)) % 4096);
}

// The system limits the mappings of a process; a device of many units must leave some to the
// program.
TEST(StackPool, ManyPoolsLeaveMappingsToTheProgram) {
  std::vector<std::unique_ptr<StackPool>> pools;
  for (int i = 0; i < 24; ++i) {
    pools.push_back(std::make_unique<StackPool>());
    ASSERT_TRUE(pools.back()->reserve(4096, 4096, true)) << i;
  }
  StackPool unknown;
  EXPECT_FALSE(unknown.reserve(4096, 4096, false)) << "frames that may overflow need every guard";
  for (int i = 0; i < 100; ++i) {
    void* own =
        mmap(nullptr, 4096, i % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(own, MAP_FAILED);
    munmap(own, 4096);
  }
  pools.clear();
  EXPECT_TRUE(unknown.reserve(4096, 4096, false));
}

} // namespace
} // namespace heddle::test
