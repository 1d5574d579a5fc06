// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which work-items or groups may be ordered by atomic operations and fences (OpenCL C 6.15.12). An
// access is taken to happen before a later one if its actor has released something, and the actor
// of the later one has acquired something that another actor had released. This holds for all that
// are ordered, and for some that are not: no race is reported that is none.
#pragma once

#include "runtime/core/lock.h"

#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace heddle {

// Of one work-item or group.
struct ReleaseState {
  bool has_fence = false; // a release fence: later atomic writes release
  bool has_seen = false;  // atomic reads of what others have released: a later fence acquires
  bool has_acquired = false;
  // The last atomic read. Whether it has seen what another one has released is only known later:
  // it is told before the program reads, and the release before the program writes.
  std::uint64_t read = 0; // its address; 0: none
  bool read_acquires = false;
};

// Of the work-items of a group, or the groups of a launch. Thread-safe. Functions throw
// std::bad_alloc.
class ReleaseOrder {
 public:
  void clear();
  // An atomic operation of `actor`; `order` are bits of abi::AccessOrder.
  void add_atomic(std::uint64_t address, std::uint64_t order, std::uint64_t actor,
                  ReleaseState& state);
  void add_fence(std::uint64_t order, std::uint64_t actor, ReleaseState& state);
  bool has_acquired(std::uint64_t actor, ReleaseState& state);
  bool has_released(std::uint64_t actor);

 private:
  void end_read(std::uint64_t actor, ReleaseState& state) HEDDLE_REQUIRES(mutex_);

  std::atomic<bool> has_any_{false}; // a release
  SleepingMutex mutex_;
  // One plus the actor, or kSeveral.
  std::unordered_map<std::uint64_t, std::uint64_t> by_address_ HEDDLE_GUARDED_BY(mutex_);
  std::unordered_set<std::uint64_t> actors_ HEDDLE_GUARDED_BY(mutex_);
};

} // namespace heddle
