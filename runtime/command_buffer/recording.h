// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of a command buffer while they are recorded, and what each waits for.
#pragma once

#include "runtime/command_buffer/recorded_command.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

// Not thread-safe.
class Recording {
 public:
  // Whether each queue is in order.
  explicit Recording(std::vector<bool> in_order);

  const std::vector<RecordedCommand>& commands() const { return commands_; }
  std::vector<RecordedCommand>& commands() { return commands_; }
  // Whether all are sync-points of commands that were recorded. Their values begin at 1.
  bool are_valid(std::span<const cl_uint> sync_points) const;
  // Adds a command that waits for these, for the preceding command of an in-order queue, and for
  // the last barrier. A barrier without sync-points waits for all. Returns its sync-point. Throws
  // std::bad_alloc, and then has changed nothing.
  cl_uint add(RecordedCommand command, std::span<const cl_uint> sync_points);

 private:
  // How many commands of each in-order queue are known to be complete when a command is.
  using Clock = std::vector<std::uint32_t>;
  struct Place {
    std::uint32_t number; // in its queue, from 1
    Clock clock;
  };

  bool is_implied(std::uint32_t command, const Place& by) const;

  const std::vector<bool> in_order_;
  std::vector<RecordedCommand> commands_;
  std::vector<Place> places_;
  std::vector<std::optional<std::uint32_t>> last_in_queue_;
  std::vector<std::uint32_t> count_in_queue_;
  std::optional<std::uint32_t> barrier_;      // the last one
  std::optional<std::uint32_t> full_barrier_; // the last one that waits for all before it
  std::vector<bool> is_waited_for_;           // by command
};

} // namespace heddle
