// Every interleaving of the very steps that kernels take on a pipe's ring
// (builtins/pipe_counters.h), each atomic operation and each copy of a packet being one, for small
// programs of two and three threads: what comes out must be what the model of pipes allows.
// Sequentially consistent steps, up to a number of switches away from a thread that could have gone
// on.
#include "compiler/interface/pipe_ring.h"
#include "conformance/programs/pipe_model.h"
#include "runtime/execution/context_switch.h"
#include "runtime/execution/stack_track.h"
#include "runtime/pipe/ring.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <memory>
#include <string>

#define __private
using uint = unsigned;
using ulong = unsigned long;
static_assert(sizeof(ulong) == sizeof(heddle_u64));

namespace heddle {
namespace {

using conformance::Kind;
using conformance::Litmus;
using conformance::Outcome;

// Threads as fibers that stop before every step, and a walk through all orders of their steps.
class Explorer {
 public:
  explicit Explorer(unsigned most_preemptions) : most_preemptions_(most_preemptions) {}

  // Called by the threads.
  static void step() {
    if (running_)
      running_->stop();
  }

  // Calls `begin`, runs `thread(0)` to `thread(count - 1)` in one order and calls `end`, for every
  // order. Returns how many there are.
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
    std::size_t depth = 0;
    unsigned preemptions = 0;
    current_ = fibers_.size();
    for (;;) {
      // The one that ran comes first, so that the first order has no preemption.
      std::vector<std::size_t> options;
      const bool may_go_on = current_ < fibers_.size() && !fibers_[current_].ended;
      if (may_go_on)
        options.push_back(current_);
      if (!may_go_on || preemptions < most_preemptions_)
        for (std::size_t i = 0; i < fibers_.size(); ++i)
          if (i != current_ && !fibers_[i].ended)
            options.push_back(i);
      if (options.empty())
        return;
      if (depth == choices_.size())
        choices_.push_back({0, options.size()});
      const auto taken = options[choices_[depth++].taken];
      preemptions += may_go_on && taken != current_;
      current_ = taken;
      running_ = this;
      switch_stack(&main_, fibers_[taken].context, this, main_track_, fibers_[taken].track);
      running_ = nullptr;
    }
  }

  bool next_order() {
    while (!choices_.empty() && ++choices_.back().taken == choices_.back().options)
      choices_.pop_back();
    return !choices_.empty();
  }

  static inline Explorer* running_ = nullptr;
  const unsigned most_preemptions_;
  std::vector<Choice> choices_;
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
#define RING_LOAD(place) (Explorer::step(), *(place))
#define RING_STORE(place, value) (Explorer::step(), *(place) = (value))
#define RING_SWAP(place, expected, value) (Explorer::step(), swap(place, expected, value))

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

// What the walk must find out: another thread comes between the comparison and the exchange.
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

constexpr ulong NO_ROOM = ~ulong{0};

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

class RingWalk {
 public:
  // `before` packets have gone through the ring already, so that rounds and marks differ.
  RingWalk(const Litmus& litmus, const Operations& operations, unsigned before)
      : litmus_(litmus), operations_(operations), before_(before),
        bytes_(pipe_ring::bytes_for(4, cl_uint(litmus.depth))),
        memory_(static_cast<std::byte*>(std::aligned_alloc(HEDDLE_RING_LINE, bytes_)), std::free) {}

  // Orders walked; outcomes are added to `found`.
  unsigned long walk(unsigned most_preemptions, std::set<Outcome>& found) {
    Explorer explorer(most_preemptions);
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
    const unsigned most_preemptions = litmus.threads.size() > 2 ? 3 : 4;
    std::set<Outcome> found;
    unsigned long orders = 0;
    for (const unsigned before : {0u, 1u, unsigned(litmus.depth) + 2})
      orders += RingWalk(litmus, kRight, before).walk(most_preemptions, found);
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
  RingWalk(litmus, kWrong, 0).walk(2, found);
  const auto allowed = conformance::Model::outcomes(litmus);
  EXPECT_FALSE(std::includes(allowed.begin(), allowed.end(), found.begin(), found.end()));
}

// Several at once: all there is room for, never more, and nothing when there is none.
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
