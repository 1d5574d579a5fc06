// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a kernel ran, in intervals of equal length.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::profile {

// The intervals become twice as long whenever the run has become longer than all of them together.
class Activity {
 public:
  static constexpr std::size_t kIntervals = 512;
  static constexpr std::uint64_t kFirstLength = 1'000'000; // nanoseconds

  // It ran from `begin` to `end`, since the start.
  void add(std::uint64_t begin, std::uint64_t end) noexcept {
    while (end > length_ * kIntervals)
      double_length();
    for (auto i = begin / length_; i < kIntervals && i * length_ < end; ++i)
      ran_[i] += std::min(end, (i + 1) * length_) - std::max(begin, i * length_);
  }

  std::uint64_t length() const noexcept { return length_; }
  // Nanoseconds in each interval.
  const std::array<std::uint64_t, kIntervals>& ran() const noexcept { return ran_; }

 private:
  void double_length() noexcept {
    for (std::size_t i = 0; i < kIntervals; ++i)
      ran_[i] = i < kIntervals / 2 ? ran_[2 * i] + ran_[2 * i + 1] : 0;
    length_ *= 2;
  }

  std::uint64_t length_ = kFirstLength;
  std::array<std::uint64_t, kIntervals> ran_{};
};

} // namespace heddle::profile
