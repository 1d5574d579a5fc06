// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges dealt out to threads by the processors they are on, with made-up parts.
#include "runtime/execution/shared_ranges.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <thread>
#include <vector>

namespace heddle {
namespace {

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Pairs take_all(SharedRanges& ranges) {
  Pairs taken;
  for (std::uint64_t first, last; ranges.take(first, last, false);)
    taken.emplace_back(first, last);
  return taken;
}

// All processors in that part.
numa::Parts everywhere(unsigned part, unsigned count) {
  return {std::vector<unsigned>(CPU_SETSIZE, part), count};
}

TEST(SharedRanges, OnePart) {
  const auto parts = everywhere(0, 1);
  SharedRanges ranges;
  ranges.start(3, 11, 3, parts);
  EXPECT_TRUE(ranges.has_more());
  EXPECT_EQ(take_all(ranges), (Pairs{{3, 6}, {6, 9}, {9, 11}}));
  EXPECT_FALSE(ranges.has_more());
}

TEST(SharedRanges, OwnPortionFirst) {
  for (const unsigned part : {0u, 1u, 2u}) {
    const auto parts = everywhere(part, 3);
    SharedRanges ranges;
    ranges.start(0, 12, 2, parts);
    const Pairs portions[] = {{{0, 2}, {2, 4}}, {{4, 6}, {6, 8}}, {{8, 10}, {10, 12}}};
    Pairs expected;
    for (unsigned i = 0; i < 3; ++i)
      expected.insert(expected.end(), portions[(part + i) % 3].begin(),
                      portions[(part + i) % 3].end());
    EXPECT_EQ(take_all(ranges), expected) << part;
  }
}

TEST(SharedRanges, EveryNumberOnce) {
  for (const unsigned count : {1u, 2u, 3u, 8u})
    for (const std::uint64_t size : {1, 2, 5, 64, 1000})
      for (const std::uint64_t last : {0, 1, 2, 7, 63, 64, 65, 1000}) {
        const auto parts = everywhere(count / 2, count);
        SharedRanges ranges;
        ranges.start(0, last, size, parts);
        std::vector<int> seen(last);
        for (const auto& [begin, end] : take_all(ranges)) {
          ASSERT_LT(begin, end);
          ASSERT_LE(end, last);
          ASSERT_LE(end - begin, size);
          ASSERT_EQ(begin % size, 0u); // fills rely on it
          for (auto i = begin; i < end; ++i)
            ++seen[i];
        }
        EXPECT_EQ(seen, std::vector<int>(last, 1)) << count << " " << size << " " << last;
      }
}

TEST(SharedRanges, AllThatIsLeft) {
  const auto parts = everywhere(1, 2);
  SharedRanges ranges;
  ranges.start(0, 100, 10, parts);
  std::uint64_t first, last;
  ASSERT_TRUE(ranges.take(first, last, true));
  EXPECT_EQ(first, 50u);
  EXPECT_EQ(last, 100u);
  ASSERT_TRUE(ranges.take(first, last, true));
  EXPECT_EQ(first, 0u);
  EXPECT_EQ(last, 50u);
  EXPECT_FALSE(ranges.take(first, last, true));
}

// Huge numbers neither overflow nor lose a part.
TEST(SharedRanges, Huge) {
  const auto parts = everywhere(0, 5);
  const std::uint64_t last = std::uint64_t{1} << 62;
  SharedRanges ranges;
  ranges.start(0, last, std::uint64_t{1} << 50, parts);
  std::uint64_t sum = 0;
  for (const auto& [begin, end] : take_all(ranges))
    sum += end - begin;
  EXPECT_EQ(sum, last);
}

// Threads on processors that are different nodes begin at different ends and help each other out.
TEST(SharedRanges, ThreadsOfTwoNodes) {
  cpu_set_t usable;
  sched_getaffinity(0, sizeof usable, &usable);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &usable))
      cpus.push_back(cpu);
  if (cpus.size() < 2)
    GTEST_SKIP() << "one processor";
  std::vector<unsigned> part_of_cpu(CPU_SETSIZE, 0);
  part_of_cpu[static_cast<std::size_t>(cpus[1])] = 1;
  const numa::Parts parts(part_of_cpu, 2);
  constexpr std::uint64_t kLast = 100'000;
  SharedRanges ranges;
  ranges.start(0, kLast, 1, parts);
  std::vector<std::atomic<int>> seen(kLast);
  std::uint64_t first_of[2] = {};
  std::vector<std::thread> threads;
  std::atomic<int> ready{0};
  for (const int thread : {0, 1})
    threads.emplace_back([&, thread] {
      cpu_set_t own;
      CPU_ZERO(&own);
      CPU_SET(cpus[static_cast<std::size_t>(thread)], &own);
      sched_setaffinity(0, sizeof own, &own);
      std::uint64_t first, last;
      ASSERT_TRUE(ranges.take(first, last, false));
      first_of[thread] = first;
      ++seen[first];
      ++ready;
      while (ready < 2)
        std::this_thread::yield();
      while (ranges.take(first, last, false))
        ++seen[first];
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(first_of[0], 0u);
  EXPECT_EQ(first_of[1], kLast / 2);
  for (std::uint64_t i = 0; i < kLast; ++i)
    ASSERT_EQ(seen[i], 1) << i;
}

} // namespace
} // namespace heddle
