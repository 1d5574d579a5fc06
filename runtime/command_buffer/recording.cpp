// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/recording.h"

#include <algorithm>

namespace heddle {

Recording::Recording(std::vector<bool> in_order)
    : in_order_(std::move(in_order)), last_in_queue_(in_order_.size()),
      count_in_queue_(in_order_.size()) {}

bool Recording::are_valid(std::span<const cl_uint> sync_points) const {
  return std::ranges::all_of(
      sync_points, [this](cl_uint point) { return point != 0 && point <= commands_.size(); });
}

// Whether a command that waits for the one at that place need not wait for `command`, too.
bool Recording::is_implied(std::uint32_t command, const Place& by) const {
  const auto queue = commands_[command].queue;
  return in_order_[queue] && by.clock[queue] >= places_[command].number;
}

cl_uint Recording::add(RecordedCommand command, std::span<const cl_uint> sync_points) {
  const auto queue = command.queue;
  const bool is_barrier = !command.transfer && !command.kernel;
  const bool is_full = is_barrier && sync_points.empty();
  std::vector<std::uint32_t> waits;
  if (is_full) {
    for (auto i = full_barrier_.value_or(0); i < commands_.size(); ++i)
      if (!is_waited_for_[i])
        waits.push_back(i);
  } else {
    for (const auto point : sync_points)
      waits.push_back(point - 1);
    if (in_order_[queue] && last_in_queue_[queue])
      waits.push_back(*last_in_queue_[queue]);
  }
  if (barrier_)
    waits.push_back(*barrier_);
  std::ranges::sort(waits);
  waits.erase(std::ranges::unique(waits).begin(), waits.end());
  if (full_barrier_)
    std::erase_if(waits, [&](std::uint32_t other) { return other < *full_barrier_; });
  Place place{count_in_queue_[queue] + 1, Clock(in_order_.size())};
  for (const auto other : waits)
    for (std::size_t q = 0; q < place.clock.size(); ++q)
      place.clock[q] = std::max(place.clock[q], places_[other].clock[q]);
  // Of what several of them wait for, only what is not behind another one stays.
  std::vector<std::uint32_t> needed;
  for (const auto other : waits)
    if (std::ranges::none_of(waits, [&](std::uint32_t later) {
          return later > other && is_implied(other, places_[later]);
        }))
      needed.push_back(other);
  if (in_order_[queue])
    place.clock[queue] = place.number;
  const auto index = static_cast<std::uint32_t>(commands_.size());
  const auto grown = index + 1 + index / 2;
  if (commands_.capacity() == index) {
    commands_.reserve(grown);
    places_.reserve(grown);
    is_waited_for_.reserve(grown);
  }
  for (const auto other : needed)
    is_waited_for_[other] = true;
  command.waits = std::move(needed);
  commands_.push_back(std::move(command));
  places_.push_back(std::move(place));
  is_waited_for_.push_back(false);
  last_in_queue_[queue] = index;
  ++count_in_queue_[queue];
  if (is_barrier)
    barrier_ = index;
  if (is_full)
    full_barrier_ = index;
  return index + 1;
}

} // namespace heddle
