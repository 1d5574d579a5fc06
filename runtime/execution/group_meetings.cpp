// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/group_meetings.h"

#include <cstddef>

namespace heddle {
namespace {

constexpr unsigned kSite = 0, kName = 1, kOrder = 2, kCopy = 3, kEvents = 4, kEventCount = 5;
constexpr unsigned kFirstArgument = kMeetingArguments;

} // namespace

void GroupMeetings::begin_group(std::uint32_t items) {
  items_.assign(items, Item());
  open_.clear();
  closed_ = 0;
  has_ended_ = false;
}

std::string GroupMeetings::describe(const Meeting& meeting) {
  return meeting.name + " at " + meeting.place;
}

checks::Problem GroupMeetings::compare(const Meeting& meeting, const abi::CheckHeader& record,
                                       const NameOfItem& name) const {
  const auto* given = operands(record);
  const auto end = record.operand_count - 1;
  const auto number = static_cast<std::uint32_t>(given[end].value);
  if (has_ended_ && items_[ended_].met < items_[number].met)
    return {describe(meeting) + " is reached by " + name(number) + ", and " + name(ended_) +
                " of its group has left the kernel without reaching it",
            meeting.place};
  if (meeting.site != given[kSite].value)
    return {std::string(reinterpret_cast<const char*>(given[kName].value)) + " at " + record.place +
                " is reached by " + name(number) + " while " + name(meeting.first) +
                " of its group is at " + describe(meeting),
            record.place, meeting.place};
  const auto differ = [&](std::uint64_t here, std::uint64_t there, const char* what) {
    return checks::Problem{describe(meeting) + " has " + what +
                               " that differ: " + std::to_string(here) + " of " + name(number) +
                               ", and " + std::to_string(there) + " of " + name(meeting.first) +
                               " of its group",
                           meeting.place};
  };
  for (auto i = kFirstArgument; i < end; ++i)
    if (const auto there = meeting.arguments[i - kFirstArgument]; there != given[i].value)
      return differ(given[i].value, there, "arguments");
  const auto* events = reinterpret_cast<const std::uint64_t*>(given[kEvents].value);
  for (std::size_t i = 0; i < meeting.events.size(); ++i)
    if (events[i] != meeting.events[i])
      return differ(events[i], meeting.events[i], "events");
  return {};
}

void GroupMeetings::add_copy(const abi::CheckHeader& record, Item& item) {
  const auto* given = operands(record);
  if (given[kEvents].value == 0)
    return;
  auto& event = *reinterpret_cast<std::uint64_t*>(given[kEvents].value);
  if (event == 0)
    event = item.met;
  for (auto& [known, place] : item.events)
    if (known == event) {
      place = record.place;
      return;
    }
  item.events.emplace_back(event, record.place);
}

checks::Problem GroupMeetings::wait(const Meeting& meeting, Item& item, const std::string& name) {
  for (const auto event : meeting.events) {
    if (event == 0 || event > item.met)
      return {describe(meeting) + " is given an event by " + name + " that is of no async copy",
              meeting.place};
    std::erase_if(item.events, [&](const auto& open) { return open.first == event; });
  }
  return {};
}

GroupMeetings::Arrival GroupMeetings::arrive(const abi::CheckHeader& record,
                                             const NameOfItem& name) {
  const auto* given = operands(record);
  const auto end = record.operand_count - 1;
  const auto number = static_cast<std::uint32_t>(given[end].value);
  Arrival arrival;
  if (number >= items_.size())
    return arrival;
  auto& item = items_[number];
  const bool waits = (given[kOrder].value & abi::kWaitsForCopies) != 0;
  const auto index = item.met++ - closed_;
  arrival.is_first = index == open_.size();
  if (arrival.is_first) {
    open_.push_back({given[kSite].value,
                     reinterpret_cast<const char*>(given[kName].value),
                     record.place,
                     number,
                     0,
                     {},
                     {}});
    for (auto i = kFirstArgument; i < end; ++i)
      open_.back().arguments.push_back(given[i].value);
    const auto* events = reinterpret_cast<const std::uint64_t*>(given[kEvents].value);
    if (waits && events != nullptr)
      open_.back().events.assign(events, events + given[kEventCount].value);
  }
  auto& meeting = open_[index];
  arrival.error = compare(meeting, record, name);
  if (arrival.error.empty() && waits)
    arrival.error = wait(meeting, item, name(number));
  else if (given[kCopy].value != abi::kNoCopy)
    add_copy(record, item);
  if (++meeting.arrived == items_.size()) {
    arrival.is_last = true;
    if (index == 0) {
      open_.pop_front();
      ++closed_;
    }
  }
  return arrival;
}

checks::Problem GroupMeetings::end(std::uint32_t number, const NameOfItem& name) {
  if (number >= items_.size())
    return {};
  const auto& item = items_[number];
  if (!has_ended_ || item.met < items_[ended_].met) {
    has_ended_ = true;
    ended_ = number;
  }
  const auto index = item.met - closed_;
  if (index < open_.size())
    return {describe(open_[index]) + " is reached by " + name(open_[index].first) + ", and " +
                name(number) + " of its group leaves the kernel without reaching it",
            open_[index].place};
  if (!item.events.empty()) {
    const auto* place = item.events.front().second;
    return {name(number) + " leaves the kernel without waiting for the async copy at " + place,
            place};
  }
  return {};
}

} // namespace heddle
