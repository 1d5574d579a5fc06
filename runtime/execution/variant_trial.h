// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two variants of a kernel by the time that groups of the same launches take in each.
#pragma once

#include "runtime/core/lock.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle {

// Groups that one thread ran one after the other in one variant, and how long they took, without
// the time for which other threads had the processor.
struct GroupTimes {
  std::uint64_t groups = 0;
  std::uint64_t nanoseconds = 0;
};

// The champion is the variant that launches use, the challenger the one that may replace it. Each
// measurement is a pair: a part of a launch in one variant, and its neighbor in the other. The
// median of their ratios decides, so that changes of frequency do not.
// Thread-safe.
class VariantTrial {
 public:
  // Launches that run in one variant as a whole are compared if they take at most
  // `most_nanoseconds`, because a slow challenger takes many times as long.
  explicit VariantTrial(std::uint64_t most_nanoseconds) noexcept
      : most_nanoseconds_(most_nanoseconds) {}

  enum class Verdict : std::uint8_t { open, better, not_better };

  Verdict verdict() const noexcept { return verdict_.load(std::memory_order_acquire); }
  bool is_open() const noexcept { return verdict() == Verdict::open; }
  // Adds two ranges of groups of one launch that ran on one thread.
  void add_pair(const GroupTimes& champion, const GroupTimes& challenger) noexcept;
  // Of launches that run in one variant as a whole: which one the next of them, which is expected
  // to take so long, is to take.
  bool next_launch_is_challenger(double nanoseconds) noexcept;
  // Adds such a launch, of `items` work-items. Those of the same size are pairs.
  void add_launch(bool is_challenger, std::uint64_t items, const GroupTimes& times) noexcept;
  // The median of the time in the challenger divided by that in the champion; 0 without pairs.
  double ratio() const noexcept;
  // How much longer the groups took in the challenger than they would have in the champion.
  std::uint64_t lost_nanoseconds() const noexcept { return lost_.load(std::memory_order_relaxed); }

  static constexpr std::size_t kPairs = 15;

 private:
  struct Launch {
    std::uint64_t items = 0; // 0: none that waits for its counterpart
    GroupTimes times;
  };

  double median() const noexcept HEDDLE_REQUIRES(mutex_);
  Verdict judge() const noexcept HEDDLE_REQUIRES(mutex_);

  const std::uint64_t most_nanoseconds_;
  mutable SleepingMutex mutex_;
  std::array<double, kPairs> ratios_ HEDDLE_GUARDED_BY(mutex_){};
  std::size_t count_ HEDDLE_GUARDED_BY(mutex_) = 0;
  Launch launches_[2] HEDDLE_GUARDED_BY(mutex_); // of the champion and of the challenger
  std::atomic<Verdict> verdict_{Verdict::open};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<std::uint32_t> launch_count_{0};
};

// The ranges that one thread takes of a launch. The first one brings data into the caches and is
// not compared. Of the others two of each variant make two pairs, in the order champion,
// challenger, challenger, champion, which a steady change of speed does not favor.
class TrialRanges {
 public:
  // Without a trial, all ranges are the champion's.
  explicit TrialRanges(VariantTrial* trial) noexcept : trial_(trial) {}
  bool next_is_challenger() const noexcept {
    return trial_ && trial_->is_open() && (count_ % 4 == 2 || count_ % 4 == 3);
  }
  void add(bool is_challenger, const GroupTimes& times) noexcept {
    if (!trial_ || ++count_ == 1)
      return;
    times_[is_challenger ? 1 : 0] = times;
    if (count_ % 2 == 0)
      return;
    if (times_[0].groups != 0 && times_[1].groups != 0)
      trial_->add_pair(times_[0], times_[1]);
    times_[0] = times_[1] = {};
  }

 private:
  VariantTrial* const trial_;
  unsigned count_ = 0;
  GroupTimes times_[2];
};

} // namespace heddle
