// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=divergence: the calls that all work-items of a group must make, in the same order,
// from the same place and with equal arguments: barriers, work-group functions, async copies and
// waits for them.
#pragma once

#include "compiler/interface/check_record.h"
#include "runtime/checks/finding.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

// The operands of a meeting's record before its arguments.
inline constexpr unsigned kMeetingArguments = 6;

class GroupMeetings {
 public:
  using NameOfItem = std::function<std::string(std::uint32_t item)>; // "work-item (3, 0)"

  void begin_group(std::uint32_t items);

  // A work-item makes a call; the record's last operand is its number. What it does first or last
  // of the group is told for the check of races.
  struct Arrival {
    bool is_first = false;
    bool is_last = false;
    checks::Problem error; // empty: it agrees with the others so far
  };
  Arrival arrive(const abi::CheckHeader& record, const NameOfItem& name);
  // A work-item has left the kernel: an error if others have made a call that it has not, or if it
  // has not waited for a copy.
  checks::Problem end(std::uint32_t item, const NameOfItem& name);

 private:
  struct Meeting {
    std::uint64_t site;
    std::string name;
    const char* place;
    std::uint32_t first; // the work-item that came first
    std::uint32_t arrived;
    std::vector<std::uint64_t> arguments;
    std::vector<std::uint64_t> events; // that are waited for
  };
  struct Item {
    std::uint64_t met = 0;
    // The events that it has not waited for, and the places of their last copies.
    std::vector<std::pair<std::uint64_t, const char*>> events;
  };
  static std::string describe(const Meeting& meeting);
  // Whether the meeting is the one that the record tells of.
  checks::Problem compare(const Meeting& meeting, const abi::CheckHeader& record,
                          const NameOfItem& name) const;
  // Numbers the event of a copy by its meeting.
  static void add_copy(const abi::CheckHeader& record, Item& item);
  // Takes the events out; an error if one of them is none.
  static checks::Problem wait(const Meeting& meeting, Item& item, const std::string& name);

  std::vector<Item> items_;
  std::deque<Meeting> open_; // those that not all have reached
  std::uint64_t closed_ = 0; // meetings before these
  // Of those that have left the kernel: the one with the fewest meetings.
  bool has_ended_ = false;
  std::uint32_t ended_ = 0;
};

} // namespace heddle
