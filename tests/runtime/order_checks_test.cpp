// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HEDDLE_CHECK=race reports of accesses, beside a comparison of all pairs: whichever thread
// runs a group, and in any order of work-items.
#include "runtime/execution/order_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace heddle::test {
namespace {

using abi::AccessKind;

constexpr std::uint64_t kGroups = 4, kItems = 4, kThreads = 3;
constexpr std::uint64_t kGlobal = 0x10000, kLocal = 0x20000, kLocalBytes = 4096;

struct Access {
  std::uint64_t group, item, phase, address, bytes;
  AccessKind kind;
  std::uint64_t value = 0;
  bool has_value = false;
};

bool is_local(const Access& access) { return access.address >= kLocal; }

// One launch of groups of kItems work-items.
class Launch {
 public:
  Launch() : checks_(true, false, 1, [](auto...) { return std::string("memory"); }) {
    launch_.work_dim = 1;
    for (int d = 0; d < 3; ++d)
      launch_.global_size[d] = launch_.local_size[d] = launch_.group_count[d] = 1;
    launch_.global_size[0] = kGroups * kItems;
    launch_.local_size[0] = kItems;
    launch_.group_count[0] = kGroups;
    for (auto& worker : workers_) {
      worker.bounds[0] = kLocal;
      worker.bounds[1] = kLocal + kLocalBytes;
    }
  }

  void access(std::uint64_t thread, const Access& access) {
    auto& races = enter(thread, access.group);
    const auto what = static_cast<std::uint64_t>(access.kind) |
                      (access.has_value ? abi::kRaceValueIsKnown : 0) |
                      static_cast<std::uint64_t>(access.kind) << abi::kRaceSiteShift |
                      access.bytes << abi::kRaceBytesShift;
    races.access(&races, access.address, what, access.value, access.item,
                 reinterpret_cast<const abi::RaceSites*>(&sites_));
  }
  void meet(std::uint64_t thread, std::uint64_t group, std::uint64_t item) {
    auto& races = enter(thread, group);
    races.meet(&races, abi::kOrdersLocal | abi::kOrdersGlobal, item);
  }
  std::vector<checks::Problem> races() { return checks_.take_races(); }

 private:
  abi::RaceThread& enter(std::uint64_t thread, std::uint64_t group) {
    auto& worker = workers_[thread];
    worker.current_group[0] = group;
    return checks_.begin(worker, launch_);
  }

  abi::Launch launch_{};
  abi::Worker workers_[kThreads]{};
  OrderChecks checks_;
  struct {
    std::uint64_t count = 5;
    const char* places[5] = {"a:0", "a:1", "a:2", "a:3", "a:4"}; // by kind
  } sites_;
};

Access global(std::uint64_t group, AccessKind kind, std::uint64_t offset, std::uint64_t bytes) {
  return {group, 0, 0, kGlobal + offset, bytes, kind};
}

TEST(OrderChecks, ThreadsAreCompared) {
  for (const bool swaps : {false, true}) {
    Launch launch;
    launch.access(swaps ? 1 : 0, global(0, AccessKind::write, 8, 4));
    launch.access(swaps ? 0 : 1, global(1, AccessKind::read, 8, 4));
    const auto races = launch.races();
    ASSERT_EQ(races.size(), 1U);
    const auto& text = races[0].text;
    EXPECT_NE(text.find("load at a:2 by work-item (4)"), text.npos) << text;
    EXPECT_NE(text.find("store at a:4 by work-item (0)"), text.npos) << text;
    EXPECT_NE(text.find("of another group"), text.npos) << text;
    const std::set<std::string> places{races[0].place, races[0].other};
    EXPECT_EQ(places, (std::set<std::string>{"a:2", "a:4"}));
    EXPECT_TRUE(launch.races().empty()); // nothing is remembered
  }
}

TEST(OrderChecks, EqualValues) {
  for (const std::uint64_t value : {3, 4})
    for (const std::uint64_t thread : {0, 1}) {
      Launch launch;
      auto store = global(0, AccessKind::write, 16, 8);
      store.has_value = true;
      store.value = std::uint64_t{3} << 40;
      launch.access(0, store);
      store.group = 1;
      store.value = value << 40;
      launch.access(thread, store);
      EXPECT_EQ(launch.races().empty(), value == 3) << thread;
    }
}

TEST(OrderChecks, BytesOfAWord) {
  Launch launch;
  launch.access(0, global(0, AccessKind::write, 32, 1));
  launch.access(1, global(1, AccessKind::write, 33, 1));
  launch.access(1, global(1, AccessKind::write, 36, 4));
  EXPECT_TRUE(launch.races().empty());
  launch.access(0, global(0, AccessKind::write, 33, 1));
  launch.access(1, global(1, AccessKind::read, 32, 4));
  EXPECT_EQ(launch.races().size(), 1U);
}

bool conflict(const Access& a, const Access& b) {
  const auto writes = [](const Access& access) {
    return access.kind == AccessKind::write || access.kind == AccessKind::atomic_write;
  };
  const auto is_atomic = [](const Access& access) {
    return access.kind == AccessKind::atomic_read || access.kind == AccessKind::atomic_write;
  };
  if (a.address >= b.address + b.bytes || b.address >= a.address + a.bytes ||
      !(writes(a) || writes(b)) || (is_atomic(a) && is_atomic(b)))
    return false;
  if (a.group != b.group)
    return !is_local(a);
  return a.phase == b.phase && a.item != b.item;
}

// Few places, and few accesses of each launch: half of them race.
TEST(OrderChecks, AllPairs) {
  std::mt19937 random(7);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  int racing = 0;
  constexpr int kLaunches = 20'000;
  for (int i = 0; i < kLaunches; ++i) {
    Launch launch;
    std::vector<Access> all;
    const auto most_threads = 1 + below(kThreads);
    const auto places = 4 + below(60), per_phase = 1 + below(5), writes_of_8 = below(5);
    const bool has_bytes = below(2) != 0, has_atomics = below(2) != 0;
    std::vector<std::uint64_t> groups{0, 1, 2, 3};
    std::shuffle(groups.begin(), groups.end(), random);
    for (const auto group : groups) {
      const auto thread = below(most_threads);
      for (std::uint64_t phase = 0; phase < 3; ++phase) {
        for (std::uint64_t n = 0; n < per_phase; ++n) {
          const auto bytes = std::uint64_t{1} << (has_bytes ? below(4) : 2 + below(2));
          const auto place = (below(2) == 0 ? kGlobal : kLocal) + below(places) * bytes +
                             (has_bytes && below(4) == 0 ? 1 : 0);
          const bool writes = below(8) < writes_of_8;
          const auto kind = has_atomics && below(2) == 0
                                ? (writes ? AccessKind::atomic_write : AccessKind::atomic_read)
                                : (writes ? AccessKind::write : AccessKind::read);
          all.push_back({group, below(kItems), phase, place, bytes, kind});
          launch.access(thread, all.back());
        }
        for (std::uint64_t item = 0; item < kItems; ++item)
          launch.meet(thread, group, item);
      }
    }
    bool races = false;
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        races |= conflict(all[a], all[b]);
    racing += races;
    ASSERT_EQ(!launch.races().empty(), races) << "launch " << i;
  }
  EXPECT_GT(racing, kLaunches / 10);
  EXPECT_LT(racing, kLaunches * 9 / 10);
}

} // namespace
} // namespace heddle::test
