// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/device_queue.h"

#include "runtime/core/lock.h"

#include <algorithm>

namespace heddle {
namespace {

// What a command without arguments counts for, and the unit of others: 16 KiB, the least size that
// a device may prefer, are room for 128 blocks with a few variables.
constexpr std::uint64_t kUnit = 64;

} // namespace

DeviceQueue::Room::Room(DeviceQueue& queue, std::uint64_t argument_bytes) noexcept {
  const auto bytes = kUnit + (argument_bytes + kUnit - 1) / kUnit * kUnit;
  auto used = queue.used_.load(std::memory_order_relaxed);
  do {
    if (bytes > queue.bytes_ - used)
      return;
  } while (!queue.used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  queue_ = Ref<DeviceQueue>(&queue);
  bytes_ = bytes;
}

void DeviceQueue::Room::release() noexcept {
  if (bytes_ == 0)
    return;
  queue_->used_.fetch_sub(bytes_, std::memory_order_relaxed);
  bytes_ = 0;
  queue_ = nullptr;
}

// A queue without users is no device's default any more; kernels in flight keep theirs.
void DeviceQueue::on_user_released() noexcept {
  auto& defaults = context_->default_device_queues();
  const Lock lock(defaults.mutex);
  std::erase_if(defaults.queues, [this](const auto& entry) { return entry.second == this; });
}

ParentRef<DeviceQueue> default_device_queue(Context& context, const Device& device) {
  auto& defaults = context.default_device_queues();
  const Lock lock(defaults.mutex);
  for (const auto& [owner, queue] : defaults.queues)
    if (owner == &device)
      return ParentRef<DeviceQueue>(queue);
  return {};
}

void set_default_device_queue(DeviceQueue& queue) {
  auto& defaults = queue.context().default_device_queues();
  const Lock lock(defaults.mutex);
  for (auto& [owner, current] : defaults.queues)
    if (owner == &queue.device()) {
      current = &queue;
      return;
    }
  defaults.queues.emplace_back(&queue.device(), &queue);
}

} // namespace heddle
