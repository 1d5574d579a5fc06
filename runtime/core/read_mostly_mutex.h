// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock for data that many threads read and that is seldom written.
//
// A shared lock counts its readers on one cache line, which every look-up then moves between cores.
// Here a reader locks one of several such locks, and a writer all of them. TBB's prefers writers
// that wait; std::shared_mutex would let them starve.
#pragma once

#include "runtime/core/lock.h"

#include <oneapi/tbb/rw_mutex.h>

#include <array>
#include <atomic>
#include <cstddef>

namespace heddle {

// A SharedMutex of the standard, but for the try_ functions. Who locks it must unlock it.
class HEDDLE_LOCK_TYPE ReadMostlyMutex {
 public:
  void lock_shared() HEDDLE_ACQUIRES_SHARED() { own().lock_shared(); }
  void unlock_shared() HEDDLE_RELEASES_SHARED() { own().unlock_shared(); }
  void lock() HEDDLE_ACQUIRES() {
    for (auto& slot : slots_)
      slot.mutex.lock();
  }
  void unlock() HEDDLE_RELEASES() {
    for (auto& slot : slots_)
      slot.mutex.unlock();
  }

 private:
  static constexpr std::size_t kSlots = 8;
  struct alignas(64) Slot {
    tbb::rw_mutex mutex;
  };

  tbb::rw_mutex& own() {
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
    return slots_[number % kSlots].mutex;
  }

  std::array<Slot, kSlots> slots_;
};

} // namespace heddle
