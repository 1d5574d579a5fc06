// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock for short critical sections: spins for a short time before it sleeps.
//
// std::mutex sleeps at once, and the unlocking thread then pays for a wake-up, which would dominate
// a launch of half a microsecond.
#pragma once

#include "runtime/core/lock.h"
#include "runtime/target/instructions.h"

#include <atomic>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle {

class HEDDLE_LOCK_TYPE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() noexcept HEDDLE_ACQUIRES() {
    std::uint32_t free = kFree;
    if (!state_.compare_exchange_strong(free, kHeld, std::memory_order_acquire))
      lock_slowly();
  }
  void unlock() noexcept HEDDLE_RELEASES() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited)
      syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

 private:
  static constexpr std::uint32_t kFree = 0, kHeld = 1, kAwaited = 2;
  static constexpr int kLooks = 100;

  void lock_slowly() noexcept {
    for (int i = 0; i < kLooks; ++i) {
      spin_pause();
      std::uint32_t free = kFree;
      if (state_.load(std::memory_order_relaxed) == kFree &&
          state_.compare_exchange_weak(free, kHeld, std::memory_order_acquire))
        return;
    }
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree)
      syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, kAwaited, nullptr, nullptr, 0);
  }

  std::atomic<std::uint32_t> state_{kFree}; // acquire to hold, release to free
};

} // namespace heddle
