// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every interleaving of the operations of kernels on a pipe's ring (builtins/pipe_counters.h), with
// each atomic operation and each copy of a packet as one step, for small programs of two and three
// threads: the outcomes must be those of the model of pipes. Bounded by the number of preemptions
// and by the number of stores that remain in their thread's store buffer, which later loads
// overtake (x86-TSO).
#include "compiler/interface/pipe_ring.h"
#include "conformance/programs/pipe_model.h"
#include "runtime/execution/stack_track.h"
#include "runtime/pipe/ring.h"
#include "runtime/target/context_switch.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#define __private // NOLINT(bugprone-reserved-identifier): OpenCL C's
using uint = unsigned;
using ulong = unsigned long;
static_assert(sizeof(ulong) == sizeof(heddle_u64));

namespace heddle {
namespace {

using conformance::Kind;
using conformance::Litmus;
using conformance::Outcome;

struct Limits {
  unsigned preemptions, delays; // at most
};

// Threads as fibers that stop before every step, and an exploration of all orders of their steps.
class Explorer {
 public:
  explicit Explorer(Limits limits) : limits_(limits) {}

  // Called by the threads.
  static void step() {
    if (running_)
      running_->stop();
  }
  static ulong load(const ulong* place) {
    step();
    if (running_)
      if (const auto& held = running_->fibers_[running_->current_].held; held.place == place)
        return held.value;
    return *place;
  }
  static void store(ulong* place, ulong value) {
    fence();
    step();
    if (running_ && running_->delays_ < running_->limits_.delays && running_->choose(2) == 1) {
      ++running_->delays_;
      running_->fibers_[running_->current_].held = {place, value};
    } else {
      *place = value;
    }
  }
  // Makes the thread's stores visible. Exchanges do this first, as on the processor.
  static void fence() {
    if (!running_)
      return;
    if (auto& held = running_->fibers_[running_->current_].held; held.place) {
      step();
      *std::exchange(held.place, nullptr) = held.value;
    }
  }

  // For every order: calls `begin`, runs `thread(0)` to `thread(count - 1)` in that order and calls
  // `end`. Returns the number of orders.
  template <class Begin, class Thread, class End>
  unsigned long explore(std::size_t count, Begin begin, Thread thread, End end) {
    choices_.clear();
    fibers_.resize(count);
    body_ = [](void* of, std::size_t index) { (*static_cast<Thread*>(of))(index); };
    threads_ = &thread;
    unsigned long runs = 0;
    do {
      begin();
      run_once();
      end();
      ++runs;
    } while (next_order());
    return runs;
  }

 private:
  static constexpr std::size_t kStackBytes = 256 << 10;
  struct Fiber {
    std::unique_ptr<std::byte[]> memory{new std::byte[kStackBytes + 64]};
    StackContext context{};
    StackTrack track;
    bool ended = false;
    struct {
      ulong* place = nullptr; // null: all stores are visible
      ulong value = 0;
    } held;
    std::byte* top() const {
      const auto end = reinterpret_cast<std::uintptr_t>(memory.get()) + kStackBytes + 64;
      return reinterpret_cast<std::byte*>(end / 64 * 64);
    }
  };
  struct Choice {
    std::size_t taken, options;
  };

  void stop() {
    auto& own = fibers_[current_];
    switch_stack(&own.context, main_, this, own.track, main_track_);
  }
  static void entry(void* value) {
    auto& self = *static_cast<Explorer*>(value);
    StackTrack::entered(self.main_track_);
    self.body_(self.threads_, self.current_);
    fence();
    self.fibers_[self.current_].ended = true;
    self.stop();
    std::abort();
  }

  void run_once() {
    for (auto& fiber : fibers_) {
      fiber.ended = false;
      fiber.track.begin(fiber.top(), kStackBytes);
      fiber.context = make_stack(fiber.top(), entry);
    }
    depth_ = 0;
    delays_ = 0;
    unsigned preemptions = 0;
    current_ = fibers_.size();
    for (;;) {
      // The current thread first, so that the first order has no preemption.
      std::vector<std::size_t> options;
      const bool may_go_on = current_ < fibers_.size() && !fibers_[current_].ended;
      if (may_go_on)
        options.push_back(current_);
      if (!may_go_on || preemptions < limits_.preemptions)
        for (std::size_t i = 0; i < fibers_.size(); ++i)
          if (i != current_ && !fibers_[i].ended)
            options.push_back(i);
      if (options.empty())
        return;
      const auto taken = options[choose(options.size())];
      preemptions += may_go_on && taken != current_;
      current_ = taken;
      running_ = this;
      switch_stack(&main_, fibers_[taken].context, this, main_track_, fibers_[taken].track);
      running_ = nullptr;
    }
  }

  std::size_t choose(std::size_t options) {
    if (depth_ == choices_.size())
      choices_.push_back({0, options});
    return choices_[depth_++].taken;
  }
  bool next_order() {
    while (!choices_.empty() && ++choices_.back().taken == choices_.back().options)
      choices_.pop_back();
    return !choices_.empty();
  }

  static inline Explorer* running_ = nullptr;
  const Limits limits_;
  unsigned delays_ = 0; // of this run
  std::vector<Choice> choices_;
  std::size_t depth_ = 0; // the next choice of this run
  std::vector<Fiber> fibers_;
  std::size_t current_ = 0;
  StackContext main_{};
  StackTrack main_track_;
  void (*body_)(void*, std::size_t) = nullptr;
  void* threads_ = nullptr;
};

using Ring = heddle_pipe_ring*;
void failed(Ring) {}

#define HELPER inline
#define RING_LOAD(place) Explorer::load(place)
#define RING_STORE(place, value) Explorer::store(place, value)
#define RING_SWAP(place, expected, value)                                                          \
  (Explorer::fence(), Explorer::step(), swap(place, expected, value))
#define RING_FENCE() Explorer::fence()

namespace right {
bool swap(ulong* place, ulong* expected, ulong value) {
  const bool same = *place == *expected;
  *expected = *place;
  if (same)
    *place = value;
  return same;
}
#include "builtins/pipe_counters.h"
} // namespace right

// A bug that the exploration must find: a failing call reads before its thread's commits are
// visible.
namespace unfenced {
#undef RING_FENCE
#define RING_FENCE() ((void)0)
using right::swap;
#include "builtins/pipe_counters.h"
} // namespace unfenced

// Another one: a second thread runs between the comparison and the exchange.
namespace wrong {
bool swap(ulong* place, ulong* expected, ulong value) {
  const bool same = *place == *expected;
  Explorer::step();
  *expected = *place;
  if (same)
    *place = value;
  return same;
}
#include "builtins/pipe_counters.h"
} // namespace wrong

constexpr ulong NO_ROOM = ~ulong{0}; // NOLINT(readability-identifier-naming): the library's

struct Operations {
  uint (*claim_some)(Ring, int who, uint count, uint times, ulong* first);
  void (*commit)(Ring, int who, ulong at, uint count);

  ulong claim(Ring ring, int who, uint count) const {
    ulong first;
    return claim_some(ring, who, count, 1, &first) == 0 ? NO_ROOM : first;
  }
};
constexpr Operations kRight{right::claim_some, right::commit};
constexpr Operations kWrong{wrong::claim_some, wrong::commit};
constexpr Operations kUnfenced{unfenced::claim_some, unfenced::commit};

class RingWalk {
 public:
  // `before` packets have passed through the ring already, so that laps and marks differ.
  RingWalk(const Litmus& litmus, const Operations& operations, unsigned before)
      : litmus_(litmus), operations_(operations), before_(before),
        bytes_(pipe_ring::bytes_for(4, cl_uint(litmus.depth))),
        memory_(static_cast<std::byte*>(std::aligned_alloc(HEDDLE_RING_LINE, bytes_)), std::free) {}

  // Returns the number of orders; adds outcomes to `found`.
  unsigned long walk(Limits limits, std::set<Outcome>& found) {
    Explorer explorer(limits);
    return explorer.explore(
        litmus_.threads.size(), [&] { begin(); }, [&](std::size_t index) { run(index); },
        [&] { found.insert(outcome()); });
  }

 private:
  void begin() {
    std::fill_n(memory_.get(), bytes_, std::byte{});
    ring_ = pipe_ring::make(memory_.get(), 4, cl_uint(litmus_.depth));
    for (unsigned i = 0; i < before_; ++i) {
      for (const int who : {heddle_pipe_writers, heddle_pipe_readers})
        operations_.commit(ring_, who, operations_.claim(ring_, who, 1), 1);
    }
    results_.assign(litmus_.threads.size(), {});
  }

  cl_int& packet(ulong position) {
    return reinterpret_cast<cl_int*>(ring_->packets)[position & ring_->mask];
  }

  void run(std::size_t index) {
    auto& results = results_[index];
    auto value = cl_int(index + 1) * 100;
    ulong ids[2] = {NO_ROOM, NO_ROOM};
    uint counts[2] = {};
    for (const auto& operation : litmus_.threads[index]) {
      const bool writes = operation.kind <= Kind::commit_write;
      const int who = writes ? heddle_pipe_writers : heddle_pipe_readers;
      const bool single = operation.kind == Kind::write || operation.kind == Kind::read;
      if (operation.kind == Kind::commit_write || operation.kind == Kind::commit_read) {
        if (ids[operation.id] != NO_ROOM)
          operations_.commit(ring_, who, ids[operation.id], counts[operation.id]);
        results.push_back(0);
        continue;
      }
      const auto count = uint(operation.count);
      const auto at = operations_.claim(ring_, who, count);
      results.push_back(at != NO_ROOM);
      for (uint i = 0; i < count; ++i) {
        if (at != NO_ROOM)
          Explorer::step(); // the copy
        if (writes) {
          if (at != NO_ROOM)
            packet(at + i) = value;
          ++value;
        } else {
          results.push_back(at != NO_ROOM ? packet(at + i) : -1);
        }
      }
      if (!single) {
        ids[operation.id] = at;
        counts[operation.id] = count;
      } else if (at != NO_ROOM) {
        operations_.commit(ring_, who, at, count);
      }
    }
  }

  Outcome outcome() {
    Outcome all;
    for (const auto& results : results_)
      all.insert(all.end(), results.begin(), results.end());
    for (int i = 0; i <= litmus_.depth; ++i) {
      const auto at = operations_.claim(ring_, heddle_pipe_readers, 1);
      if (at == NO_ROOM)
        break;
      all.push_back(packet(at));
      operations_.commit(ring_, heddle_pipe_readers, at, 1);
    }
    return all;
  }

  const Litmus& litmus_;
  const Operations& operations_;
  const unsigned before_;
  const std::size_t bytes_;
  const std::unique_ptr<std::byte, void (*)(void*)> memory_;
  Ring ring_ = nullptr;
  std::vector<Outcome> results_;
};

std::string text(const Outcome& outcome) {
  std::string result;
  for (const auto value : outcome)
    result += std::to_string(value) + " ";
  return result;
}

TEST(PipeRing, EveryInterleavingIsOneOfTheModels) {
  for (const auto& litmus : conformance::kLitmus) {
    const auto allowed = conformance::Model::outcomes(litmus);
    const bool many = litmus.threads.size() > 2;
    std::set<Outcome> found;
    unsigned long orders = 0;
    for (const unsigned before : {0u, 1u, unsigned(litmus.depth) + 2})
      orders += RingWalk(litmus, kRight, before).walk({many ? 3u : 4u, 0}, found);
    orders += RingWalk(litmus, kRight, 1).walk({many ? 2u : 3u, 2}, found);
    for (const auto& outcome : found)
      EXPECT_TRUE(allowed.contains(outcome)) << litmus.name << ": " << text(outcome);
    std::printf("  %-34s %7lu orders, %zu of %zu outcomes\n", litmus.name, orders, found.size(),
                allowed.size());
  }
}

TEST(PipeRing, TheWalkFindsAnExchangeThatIsNotAtomic) {
  const auto& litmus = conformance::kLitmus[2];
  ASSERT_STREQ(litmus.name, "two writers");
  std::set<Outcome> found;
  RingWalk(litmus, kWrong, 0).walk({2, 0}, found);
  const auto allowed = conformance::Model::outcomes(litmus);
  EXPECT_FALSE(std::includes(allowed.begin(), allowed.end(), found.begin(), found.end()));
}

TEST(PipeRing, TheWalkFindsAMissingFence) {
  const auto& litmus = conformance::kLitmus[1];
  ASSERT_STREQ(litmus.name, "two packets, two places");
  std::set<Outcome> found;
  RingWalk(litmus, kUnfenced, 0).walk({2, 1}, found);
  // Full before the read of the first packet is committed, empty after it.
  EXPECT_TRUE(found.contains({1, 1, 0, 1, 100, 0, -1, 1, 101}));
}

// Several at once: as many as there is room for, never more, and none if there is none.
TEST(PipeRing, AsManyAsFit) {
  const std::unique_ptr<std::byte, void (*)(void*)> memory(
      static_cast<std::byte*>(std::aligned_alloc(HEDDLE_RING_LINE, pipe_ring::bytes_for(4, 10))),
      std::free);
  std::fill_n(memory.get(), pipe_ring::bytes_for(4, 10), std::byte{});
  auto* ring = pipe_ring::make(memory.get(), 4, 10);
  ulong first = 0;
  EXPECT_EQ(right::claim_some(ring, heddle_pipe_writers, 3, 2, &first), 2u);
  EXPECT_EQ(first, 0u);
  EXPECT_EQ(right::claim_some(ring, heddle_pipe_writers, 3, 8, &first), 1u);
  EXPECT_EQ(first, 6u);
  EXPECT_EQ(right::claim_some(ring, heddle_pipe_writers, 2, 8, &first), 0u);
  EXPECT_EQ(right::claim_some(ring, heddle_pipe_writers, 1, 8, &first), 1u);
  EXPECT_EQ(first, 9u);
  EXPECT_EQ(right::claim_some(ring, heddle_pipe_writers, 0, 5, &first), 5u);
  for (const unsigned at : {0u, 3u, 6u})
    right::commit(ring, heddle_pipe_writers, at, 3);
  EXPECT_EQ(right::claim_some(ring, heddle_pipe_readers, 2, 16, &first), 4u); // 9 are there
  EXPECT_EQ(first, 0u);
}

} // namespace
} // namespace heddle
