// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AllocationMap: look-ups by any address, from many threads, with a million allocations.
#include "runtime/allocation/allocation_map.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

namespace heddle {
namespace {

std::byte* at(std::uintptr_t address) { return reinterpret_cast<std::byte*>(address); }

// Not in a map's destructor's reach: buffers' memory is not the map's.
Allocation made_up(std::uintptr_t address, std::size_t size) {
  return {at(address), size, kBufferAllocation, nullptr, 0};
}

TEST(AllocationMapTest, FindsByEveryAddress) {
  AllocationMap map;
  EXPECT_TRUE(map.empty());
  EXPECT_FALSE(map.find(at(0x1000)));
  EXPECT_FALSE(map.nearest(at(0x1000)));
  EXPECT_EQ(describe_address(map, at(0x1000)), "");
  map.add(made_up(0x1000, 16));
  map.add(made_up(0x1010, 1));
  map.add(made_up(0x4000, 0x1000));
  for (const auto& [address, begin] :
       std::vector<std::pair<std::uintptr_t, std::uintptr_t>>{{0xfff, 0},
                                                              {0x1000, 0x1000},
                                                              {0x100f, 0x1000},
                                                              {0x1010, 0x1010},
                                                              {0x1011, 0},
                                                              {0x3fff, 0},
                                                              {0x4000, 0x4000},
                                                              {0x4fff, 0x4000},
                                                              {0x5000, 0},
                                                              {0, 0},
                                                              {UINTPTR_MAX, 0}}) {
    const auto found = map.find(at(address));
    EXPECT_EQ(found ? found->begin : nullptr, at(begin)) << std::hex << address;
    EXPECT_FALSE(map.find(at(address), kUsmAllocations)) << "another kind";
  }
  EXPECT_EQ(map.nearest(at(0))->begin, at(0x1000));
  EXPECT_EQ(map.nearest(at(0x1011))->begin, at(0x1010));
  EXPECT_EQ(map.nearest(at(0x3f00))->begin, at(0x4000));
  EXPECT_EQ(map.nearest(at(0x9000))->begin, at(0x4000));
  EXPECT_EQ(describe_address(map, at(0x4001)), "byte 1 of the buffer of 4096 bytes at 0x4000");
  EXPECT_EQ(describe_address(map, at(0x3ff0)),
            "16 bytes before the buffer of 4096 bytes at 0x4000");
  EXPECT_EQ(describe_address(map, at(0x5000)), "right after the buffer of 4096 bytes at 0x4000");
  EXPECT_EQ(describe_address(map, at(0x5001)),
            "1 bytes after the end of the buffer of 4096 bytes at 0x4000");
  EXPECT_FALSE(map.remove(at(0x4001), kAllAllocations));
  EXPECT_FALSE(map.remove(at(0x4000), kUsmAllocations));
  EXPECT_TRUE(map.remove(at(0x4000), kBufferAllocation));
  EXPECT_FALSE(map.remove(at(0x4000), kBufferAllocation));
  EXPECT_FALSE(map.find(at(0x4000)));
}

// Sizes around the limits of pages and of small allocations, each side by side with others.
TEST(AllocationMapTest, SizesAndPages) {
  AllocationMap map;
  std::vector<Allocation> all;
  std::uintptr_t address = 0x100000 - 3;
  for (const std::size_t size : {1, 2, 100, 4093, 4096, 4097, 12'288, 16'384, 16'385, 100'000, 5})
    for (int i = 0; i != 3; ++i) {
      all.push_back(made_up(address, size));
      map.add(all.back());
      address += size + (i == 1 ? 0 : 7);
    }
  for (int round = 0; round != 2; ++round) {
    for (const auto& allocation : all) {
      const auto begin = reinterpret_cast<std::uintptr_t>(allocation.begin);
      for (const auto inside : {begin, begin + allocation.size / 2, begin + allocation.size - 1}) {
        const auto found = map.find(at(inside));
        ASSERT_EQ(found ? found->begin : nullptr, allocation.begin) << allocation.size;
        EXPECT_EQ(map.nearest(at(inside))->begin, allocation.begin);
      }
      const auto behind = map.find(at(begin + allocation.size));
      EXPECT_TRUE(!behind || behind->begin == at(begin + allocation.size));
      ASSERT_TRUE(map.remove(allocation.begin, kBufferAllocation));
      EXPECT_FALSE(map.find(at(begin)));
      EXPECT_FALSE(map.find(at(begin + allocation.size - 1)));
      if (round == 0)
        map.add(allocation);
    }
  }
  EXPECT_TRUE(map.empty());
}

TEST(AllocationMapTest, Contains) {
  const auto allocation = made_up(0x1000, 16);
  EXPECT_TRUE(allocation.contains(at(0x1000), 16));
  EXPECT_FALSE(allocation.contains(at(0x1000), 17));
  EXPECT_FALSE(allocation.contains(at(0x1001), 16));
  EXPECT_FALSE(allocation.contains(at(0x1001), SIZE_MAX));
  EXPECT_TRUE(allocation.contains(at(0x100f), 1));
  EXPECT_FALSE(allocation.contains(at(0x1010), 0)) << "its end is not inside";
}

// Threads that look up while others add and take out; what stays is always found.
TEST(AllocationMapTest, AMillionFromManyThreads) {
  constexpr std::uintptr_t kFirst = 1 << 20, kStep = 256;
  constexpr std::size_t kCount = 1'000'000;
  AllocationMap map;
  for (std::size_t i = 0; i != kCount; ++i)
    map.add(made_up(kFirst + i * kStep, 200));
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> wrong{0}, looks{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      std::minstd_rand random(t + 1);
      while (!stop.load(std::memory_order_relaxed)) {
        // Odd ones come and go; even ones stay.
        const auto i = random() % (kCount / 2) * 2;
        const auto inside = random() % kStep;
        const auto found = map.find(at(kFirst + i * kStep + inside));
        wrong += (inside < 200) != (found && found->begin == at(kFirst + i * kStep));
        looks.fetch_add(1, std::memory_order_relaxed);
      }
    });
  std::minstd_rand random(99);
  for (int k = 0; k != 20'000; ++k) {
    const auto i = random() % (kCount / 2) * 2 + 1;
    ASSERT_TRUE(map.remove(at(kFirst + i * kStep), kBufferAllocation));
    map.add(made_up(kFirst + i * kStep, 200));
  }
  stop = true;
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(looks, 0u);
}

} // namespace
} // namespace heddle
