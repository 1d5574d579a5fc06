// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References to an object that many commands keep.
#pragma once

#include "runtime/core/object.h"

#include <atomic>
#include <cstdint>

namespace heddle {

// The thread that enqueues commands adds a reference for each, and the thread that has executed
// them drops it. If both counted in the object, its cache line would go to and fro with every
// command. So references are added in batches, and counted here until commands take them; this
// object must not be in a cache line with the other.
//
// Thread-safe.
class SpareReferences {
 public:
  SpareReferences() = default;
  SpareReferences(const SpareReferences&) = delete;
  SpareReferences& operator=(const SpareReferences&) = delete;

  // A reference to the object, which is the same in all calls.
  template <class T>
  Ref<T> take(T& object) noexcept {
    auto spare = spare_.load(std::memory_order_relaxed);
    while (spare > 0)
      if (spare_.compare_exchange_weak(spare, spare - 1, std::memory_order_acquire,
                                       std::memory_order_relaxed))
        return Ref<T>::adopt(&object);
    if (spare == kClosed)
      return Ref<T>(&object);
    object.retain(kBatch);
    if (!spare_.compare_exchange_strong(spare, kBatch - 1, std::memory_order_release,
                                        std::memory_order_relaxed))
      object.release(kBatch - 1); // another thread has added some, or closed it
    return Ref<T>::adopt(&object);
  }
  // Gives back what has not been taken; from now on none are kept. For when only commands are left
  // that keep the object.
  void close(Object& object) noexcept {
    const auto spare = spare_.exchange(kClosed, std::memory_order_acquire);
    if (spare > 0)
      object.release(static_cast<std::uint32_t>(spare));
  }

 private:
  static constexpr std::int32_t kBatch = 64, kClosed = -1;
  // Released when references have been added to the object, acquired by who takes some of them:
  // else the object could lose them first, and its last one.
  std::atomic<std::int32_t> spare_{0};
};

} // namespace heddle
