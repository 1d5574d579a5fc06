// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/device_executor.h"

#include "runtime/core/process.h"

#include <atomic>
#include <memory>
#include <vector>

namespace heddle {

struct DeviceExecutor {
  const unsigned fork_generation;
  const std::vector<int> cpus;
  Executor executor;
  DeviceExecutor* next = nullptr;
};

namespace {

// A list that only grows, without a lock: one that another thread held when the process forked
// would never be free again.
std::atomic<DeviceExecutor*> newest{nullptr};

DeviceExecutor* find_or_make(const std::vector<int>& cpus, unsigned units) {
  const auto generation = process::fork_generation();
  std::unique_ptr<DeviceExecutor> fresh;
  auto* first = newest.load(std::memory_order_acquire);
  for (;;) {
    for (auto* known = first; known; known = known->next)
      if (known->fork_generation == generation && known->cpus == cpus)
        return known;
    if (!fresh)
      fresh.reset(new DeviceExecutor{generation, cpus, {units, cpus}});
    fresh->next = first;
    if (newest.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel))
      return fresh.release();
  }
}

} // namespace

Executor& executor_of(Device& device) {
  auto& slot = device.executor_slot();
  auto* found = slot.load(std::memory_order_acquire);
  if (!found || found->fork_generation != process::fork_generation()) {
    found = find_or_make(device.cpus(), device.compute_units());
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
