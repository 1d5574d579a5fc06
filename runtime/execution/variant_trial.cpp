// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/variant_trial.h"

#include "runtime/core/lock.h"

#include <algorithm>

namespace heddle {
namespace {

// A challenger must be so much faster: what is about as fast replaces nothing.
constexpr double kBetter = 0.97;
// Clear cases are decided with fewer pairs: by the ratios of all of them.
struct ClearCase {
  std::size_t pairs;
  double better, worse;
};
constexpr ClearCase kClearCases[] = {{2, 0.5, 2}, {4, 0.8, 1.15}};
// One pair is enough to reject what is so much slower, if it has lost more time than code takes
// that is executed for the first time.
constexpr double kHopeless = 3;
constexpr double kHopelessLoss = 1'000'000;

double per_group(const GroupTimes& times) {
  return static_cast<double>(std::max<std::uint64_t>(times.nanoseconds, 1)) /
         static_cast<double>(times.groups);
}

} // namespace

void VariantTrial::add_pair(const GroupTimes& champion, const GroupTimes& challenger) noexcept {
  const Lock lock(mutex_);
  if (!is_open())
    return;
  ratios_[count_++] = per_group(challenger) / per_group(champion);
  const auto usual = per_group(champion) * static_cast<double>(challenger.groups);
  const auto lost = static_cast<double>(challenger.nanoseconds) - usual;
  if (lost > 0)
    lost_.fetch_add(static_cast<std::uint64_t>(lost), std::memory_order_relaxed);
  const bool is_hopeless = count_ == 1 && ratios_[0] > kHopeless && lost > kHopelessLoss;
  verdict_.store(is_hopeless ? Verdict::not_better : judge(), std::memory_order_release);
}

VariantTrial::Verdict VariantTrial::judge() const noexcept {
  const auto* end = ratios_.data() + count_;
  const auto [least, most] = std::minmax_element(ratios_.data(), end);
  if (count_ == kPairs)
    return median() < kBetter ? Verdict::better : Verdict::not_better;
  for (const auto& [pairs, better, worse] : kClearCases) {
    if (count_ >= pairs && *most < better)
      return Verdict::better;
    if (count_ >= pairs && *least > worse)
      return Verdict::not_better;
  }
  return Verdict::open;
}

bool VariantTrial::next_launch_is_challenger(double nanoseconds) noexcept {
  if (nanoseconds > static_cast<double>(most_nanoseconds_))
    return false;
  const auto number = launch_count_.fetch_add(1, std::memory_order_relaxed);
  return is_open() && (number % 4 == 1 || number % 4 == 2);
}

void VariantTrial::add_launch(bool is_challenger, std::uint64_t items,
                              const GroupTimes& times) noexcept {
  Launch pair[2];
  {
    const Lock lock(mutex_);
    launches_[is_challenger ? 1 : 0] = {items, times};
    if (launches_[0].items != launches_[1].items)
      return;
    std::copy(std::begin(launches_), std::end(launches_), pair);
    launches_[0] = launches_[1] = {};
  }
  if (pair[0].times.groups != 0 && pair[1].times.groups != 0)
    add_pair(pair[0].times, pair[1].times);
}

double VariantTrial::median() const noexcept {
  if (count_ == 0)
    return 0;
  auto sorted = ratios_;
  const auto middle = count_ / 2;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(middle),
                   sorted.begin() + static_cast<std::ptrdiff_t>(count_));
  return sorted[middle];
}

double VariantTrial::ratio() const noexcept {
  const Lock lock(mutex_);
  return median();
}

} // namespace heddle
