// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Litmus tests of pipes, and a model of their allowed outcomes.
//
// The model, from OpenCL C, Pipe Functions: there is one order of reservations; a reservation
// becomes visible to readers when it and all earlier ones are committed; room becomes available
// when packets and all earlier ones have been read and committed. Reserving and committing are
// separate steps; read_pipe and write_pipe without a reservation do both.
#pragma once

#include <CL/cl_platform.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace conformance {

// An operation of a thread; `id` identifies the reservation, `count` is its number of packets. A
// thread writes consecutive values from its number times 100.
enum class Kind : cl_int { write, reserve_write, commit_write, read, reserve_read, commit_read };
struct Operation {
  Kind kind;
  cl_int id = 0;
  cl_int count = 1;
};
using Thread = std::vector<Operation>; // all operations read, or all write
using Outcome = std::vector<cl_int>;   // the results of all operations, then the remaining packets

struct Litmus {
  const char* name;
  int depth;
  std::vector<Thread> threads;
};

constexpr Operation W{Kind::write}, R{Kind::read};
constexpr Operation reserve_w(int id, int count) { return {Kind::reserve_write, id, count}; }
constexpr Operation commit_w(int id) { return {Kind::commit_write, id}; }
constexpr Operation reserve_r(int id, int count) { return {Kind::reserve_read, id, count}; }
constexpr Operation commit_r(int id) { return {Kind::commit_read, id}; }

inline const Litmus kLitmus[] = {
    {"one packet, one place", 1, {{W, W}, {R, R}}},
    {"two packets, two places", 2, {{W, W, W}, {R, R, R}}},
    {"two writers", 2, {{W, W}, {W}, {R, R}}},
    {"two readers", 2, {{W, W, W}, {R}, {R, R}}},
    {"a reservation appears at once", 4, {{reserve_w(0, 2), commit_w(0)}, {R, R}}},
    {"commits in reverse",
     4,
     {{reserve_w(0, 1), reserve_w(1, 2), commit_w(1), commit_w(0)}, {R, R, R}}},
    {"behind another's reservation", 4, {{reserve_w(0, 1), commit_w(0)}, {W, W}, {R, R}}},
    {"reading two at once", 4, {{W, W}, {W}, {reserve_r(0, 2), commit_r(0), R}}},
    {"all or nothing",
     3,
     {{reserve_w(0, 2), commit_w(0)},
      {reserve_w(0, 2), commit_w(0)},
      {reserve_r(0, 2), commit_r(0), reserve_r(1, 2), commit_r(1)}}},
    {"room comes back in order",
     2,
     {{W, W, W, W}, {reserve_r(0, 1), reserve_r(1, 1), commit_r(1), commit_r(0)}}},
    {"room behind another's reading", 2, {{W, W, W}, {reserve_r(0, 1), commit_r(0)}, {R}}},
    {"reservations and single packets",
     3,
     {{W, reserve_w(0, 2), commit_w(0)}, {R, reserve_r(0, 2), commit_r(0)}}},
};

// The number of values that an operation returns: its success, then the packets read.
inline int results_of(const Operation& operation) {
  switch (operation.kind) {
  case Kind::read:
    return 1 + 1;
  case Kind::reserve_read:
    return 1 + operation.count;
  default:
    return 1;
  }
}

// The outcomes of all interleavings of the steps.
class Model {
 public:
  static std::set<Outcome> outcomes(const Litmus& litmus) {
    Model model(litmus);
    State start;
    start.threads.resize(litmus.threads.size());
    for (size_t t = 0; t < litmus.threads.size(); ++t)
      start.threads[t].value = cl_int(t + 1) * 100;
    model.explore(start);
    return model.found_;
  }

 private:
  struct Range {
    int begin = 0, end = 0; // empty: not valid
    auto operator<=>(const Range&) const = default;
  };
  struct ThreadState {
    size_t next = 0;      // operation
    bool claimed = false; // a single read or write has been claimed and not committed
    cl_int value = 0;
    std::map<int, Range> reservations; // -1: that of a single read or write
    Outcome results;
    auto operator<=>(const ThreadState&) const = default;
  };
  struct State {
    std::vector<cl_int> packets; // all that were ever reserved for writing
    std::vector<bool> written, read;
    int read_claimed = 0;
    std::vector<ThreadState> threads;
    auto operator<=>(const State&) const = default;
  };

  explicit Model(const Litmus& litmus) : litmus_(litmus) {}

  static int prefix(const std::vector<bool>& done) {
    return int(std::find(done.begin(), done.end(), false) - done.begin());
  }

  bool claim(State& state, ThreadState& thread, int id, int count, bool writes) {
    auto& range = thread.reservations[id];
    range = {};
    const auto size = int(state.packets.size());
    if (writes) {
      if (size + count - prefix(state.read) > litmus_.depth)
        return false;
      range = {size, size + count};
      for (int i = 0; i < count; ++i) {
        state.packets.push_back(thread.value++);
        state.written.push_back(false);
        state.read.push_back(false);
      }
      return true;
    }
    if (state.read_claimed + count > prefix(state.written))
      return false;
    range = {state.read_claimed, state.read_claimed + count};
    state.read_claimed += count;
    return true;
  }

  static void commit(State& state, ThreadState& thread, int id, bool writes) {
    const auto range = thread.reservations[id];
    auto& done = writes ? state.written : state.read;
    std::fill(done.begin() + range.begin, done.begin() + range.end, true);
  }

  void explore(const State& state) {
    if (!seen_.insert(state).second)
      return;
    bool ended = true;
    for (size_t t = 0; t < litmus_.threads.size(); ++t) {
      if (state.threads[t].next == litmus_.threads[t].size())
        continue;
      ended = false;
      State after = state;
      step(after, after.threads[t], litmus_.threads[t]);
      explore(after);
    }
    if (!ended)
      return;
    Outcome outcome;
    for (const auto& thread : state.threads)
      outcome.insert(outcome.end(), thread.results.begin(), thread.results.end());
    outcome.insert(outcome.end(), state.packets.begin() + state.read_claimed, state.packets.end());
    found_.insert(outcome);
  }

  void step(State& state, ThreadState& thread, const Thread& program) {
    const auto& operation = program[thread.next];
    const bool writes = operation.kind <= Kind::commit_write;
    const bool single = operation.kind == Kind::write || operation.kind == Kind::read;
    const int id = single ? -1 : operation.id;
    if (operation.kind == Kind::commit_write || operation.kind == Kind::commit_read) {
      commit(state, thread, id, writes);
      thread.results.push_back(0);
      ++thread.next;
      return;
    }
    if (single && thread.claimed) {
      commit(state, thread, id, writes);
      thread.claimed = false;
      ++thread.next;
      return;
    }
    const bool valid = claim(state, thread, id, operation.count, writes);
    if (!valid && writes)
      thread.value += operation.count;
    thread.results.push_back(valid);
    if (!writes)
      for (int i = 0; i < operation.count; ++i)
        thread.results.push_back(valid ? state.packets[thread.reservations[id].begin + i] : -1);
    if (valid && single)
      thread.claimed = true;
    else
      ++thread.next;
  }

  const Litmus& litmus_;
  std::set<State> seen_;
  std::set<Outcome> found_;
};

} // namespace conformance
