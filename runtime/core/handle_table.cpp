// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/handle_table.h"

#include "runtime/core/lock.h"

#include <sys/mman.h>
#include <type_traits>

namespace heddle::handle_table {
namespace {

constexpr std::uint32_t kSlots = 1u << 26;
constexpr std::uint32_t kFewSlots = 1u << 20; // where address space is limited
constexpr std::uint32_t kNone = ~0u;
// A freed slot is not reused until this many others have been freed after it.
constexpr std::uint32_t kResting = 4096;

struct Table {
  SleepingMutex mutex;
  HandleSlot* slots = nullptr;
  std::uint32_t capacity = 0;
  std::atomic<std::uint32_t> used{0}; // slots below this index have been allocated (release)
  std::uint32_t oldest_free HEDDLE_GUARDED_BY(mutex) = kNone;
  std::uint32_t newest_free HEDDLE_GUARDED_BY(mutex) = kNone;
  std::uint32_t free_count HEDDLE_GUARDED_BY(mutex) = 0;
  const void* dispatch = nullptr;
  void* dispatch_data = nullptr;

  Table() {
    for (const auto count : {kSlots, kFewSlots}) {
      void* range = mmap(nullptr, count * sizeof(HandleSlot), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (range == MAP_FAILED)
        continue;
      madvise(range, count * sizeof(HandleSlot), MADV_NOHUGEPAGE);
      slots = static_cast<HandleSlot*>(range);
      capacity = count;
      return;
    }
  }
};

// Trivially destructible: handles may be checked while the process exits.
Table& table() noexcept {
  static_assert(std::is_trivially_destructible_v<Table>);
  static Table instance;
  return instance;
}

} // namespace

HandleSlot* acquire(Kind kind, Object* object) noexcept {
  auto& t = table();
  const Lock lock(t.mutex);
  std::uint32_t index;
  const auto used = t.used.load(std::memory_order_relaxed);
  if (t.free_count > kResting || (used == t.capacity && t.free_count != 0)) {
    index = t.oldest_free;
    t.oldest_free = t.slots[index].next_free;
    if (t.oldest_free == kNone)
      t.newest_free = kNone;
    --t.free_count;
  } else if (used < t.capacity) {
    index = used;
    t.used.store(used + 1, std::memory_order_release);
  } else {
    return nullptr;
  }
  auto& slot = t.slots[index];
  slot.dispatch = t.dispatch;
  slot.dispatch_data = t.dispatch_data;
  slot.object = object;
  slot.kind.store(kind, std::memory_order_release);
  return &slot;
}

void release(HandleSlot* slot) noexcept {
  auto& t = table();
  const Lock lock(t.mutex);
  slot->kind.store(Kind::dead, std::memory_order_release);
  slot->object = nullptr;
  slot->next_free = kNone;
  const auto index = static_cast<std::uint32_t>(slot - t.slots);
  if (t.newest_free == kNone)
    t.oldest_free = index;
  else
    t.slots[t.newest_free].next_free = index;
  t.newest_free = index;
  ++t.free_count;
}

Object* find(const void* handle, Kind kind) noexcept {
  auto& t = table();
  const auto offset =
      reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(t.slots);
  if (offset % sizeof(HandleSlot) != 0 ||
      offset / sizeof(HandleSlot) >= t.used.load(std::memory_order_acquire))
    return nullptr;
  auto& slot = t.slots[offset / sizeof(HandleSlot)];
  return slot.kind.load(std::memory_order_acquire) == kind ? slot.object : nullptr;
}

void set_dispatch(const void* dispatch) noexcept { table().dispatch = dispatch; }
void set_dispatch_data(void* data) noexcept {
  auto& t = table();
  const Lock lock(t.mutex);
  t.dispatch_data = data;
  for (std::uint32_t i = 0; i < t.used.load(std::memory_order_relaxed); ++i)
    t.slots[i].dispatch_data = data;
}
void lock_for_fork() noexcept HEDDLE_NOT_ANALYZED { table().mutex.lock(); }
void unlock_after_fork() noexcept HEDDLE_NOT_ANALYZED { table().mutex.unlock(); }

} // namespace heddle::handle_table
