// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assigns ranges of work-groups (or bytes) to the threads that execute a command together.
#pragma once

#include "runtime/device/numa.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>

namespace heddle {

// Each part of the device's processors has one contiguous portion of about the same size. Threads
// take the ranges of their processor's portion in order, then the remaining ranges of the portions
// behind it, those of their node first. Repeated launches of the same shape so access the same
// memory from the same cache and node. take() and has_more() may be called by any thread after
// start().
class SharedRanges {
 public:
  // [first, last) in ranges of `size` (not 0), the last one of each portion smaller or not;
  // portions begin at multiples of `size` from `first`. `parts` must live as long as this.
  void start(std::uint64_t first, std::uint64_t last, std::uint64_t size,
             const numa::Parts& parts) noexcept {
    size_ = size;
    parts_ = &parts;
    next_.store(first, std::memory_order_relaxed);
    last_ = last;
    count_ = 1;
    if (parts.count() < 2)
      return;
    more_.reset(new (std::nothrow) Portion[parts.count()]); // without memory: one portion
    if (!more_)
      return;
    count_ = parts.count();
    const auto ranges = (last - first) / size_ + ((last - first) % size_ != 0 ? 1 : 0);
    std::uint64_t begin = first;
    for (unsigned i = 0; i < count_; ++i) {
      const auto after = ranges / count_ * (i + 1) + ranges % count_ * (i + 1) / count_;
      const auto end = i + 1 == count_ ? last : std::min(last, first + after * size_);
      more_[i].next.store(begin, std::memory_order_relaxed);
      more_[i].last = end;
      begin = end;
    }
  }

  bool has_more() const noexcept {
    if (count_ == 1)
      return next_.load(std::memory_order_relaxed) < last_;
    for (unsigned i = 0; i < count_; ++i)
      if (more_[i].next.load(std::memory_order_relaxed) < more_[i].last)
        return true;
    return false;
  }

  // The next range for the calling thread, or, with `all`, the rest of a portion. False if there is
  // none.
  bool take(std::uint64_t& first, std::uint64_t& last, bool all) noexcept {
    if (count_ == 1)
      return take(next_, last_, first, last, all);
    const unsigned here = parts_->here();
    for (unsigned i = 0; i < count_; ++i) {
      auto& portion = more_[(here + i) % count_];
      if (take(portion.next, portion.last, first, last, all))
        return true;
    }
    return false;
  }

 private:
  struct alignas(64) Portion {          // no cache line is shared by nodes
    std::atomic<std::uint64_t> next{0}; // relaxed: what the ranges are is published before
    std::uint64_t last = 0;
  };

  bool take(std::atomic<std::uint64_t>& next, std::uint64_t end, std::uint64_t& first,
            std::uint64_t& last, bool all) noexcept {
    first = next.load(std::memory_order_relaxed);
    do {
      if (first >= end)
        return false;
      last = all || end - first < size_ ? end : first + size_;
    } while (!next.compare_exchange_weak(first, last, std::memory_order_relaxed));
    return true;
  }

  std::uint64_t size_ = 1;
  std::uint64_t last_ = 0;
  std::atomic<std::uint64_t> next_{0};
  unsigned count_ = 1;
  const numa::Parts* parts_ = nullptr;
  std::unique_ptr<Portion[]> more_; // one per part, if there are several
};

} // namespace heddle
