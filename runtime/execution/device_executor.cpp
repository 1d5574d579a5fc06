// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/device_executor.h"

#include "runtime/core/process.h"

#include <atomic>
#include <memory>
#include <vector>

namespace heddle {

struct DeviceExecutor {
  const unsigned fork_generation;
  const bool is_throttled;
  const std::vector<int> cpus;
  Executor executor;
  DeviceExecutor* next = nullptr;
};

namespace {

// A list that only grows, without a lock: one that another thread held when the process forked
// would never be free again.
std::atomic<DeviceExecutor*> newest{nullptr};

DeviceExecutor* find_or_make(const Device& device, bool is_throttled) {
  const auto& cpus = device.cpus();
  const auto generation = process::fork_generation();
  std::unique_ptr<DeviceExecutor> fresh;
  auto* first = newest.load(std::memory_order_acquire);
  for (;;) {
    for (auto* known = first; known; known = known->next)
      if (known->fork_generation == generation && known->is_throttled == is_throttled &&
          known->cpus == cpus)
        return known;
    if (!fresh) {
      const unsigned all = device.compute_units();
      const auto units = is_throttled ? throttled_units(all) : all;
      const QueueHints hints{Priority::medium, is_throttled ? Throttle::low : Throttle::medium};
      fresh.reset(new DeviceExecutor{
          generation, is_throttled, cpus, {units, cpus, hints.spin_nanoseconds()}});
    }
    fresh->next = first;
    if (newest.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel))
      return fresh.release();
  }
}

} // namespace

Executor& executor_of(Device& device, Throttle throttle) {
  const bool is_throttled = throttle == Throttle::low;
  auto& slot = device.executor_slot(is_throttled);
  auto* found = slot.load(std::memory_order_acquire);
  if (!found || found->fork_generation != process::fork_generation()) {
    found = find_or_make(device, is_throttled);
    slot.store(found, std::memory_order_release);
  }
  return found->executor;
}

void wake_pending() noexcept {
  for (auto* known = newest.load(std::memory_order_acquire); known; known = known->next)
    if (known->fork_generation == process::fork_generation())
      known->executor.wake_if_pending();
}

} // namespace heddle
