// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch runs and what is built for it: a pure function of what is known of the launch and
// of the kernel's units. docs/units.md has its cases as a table.
#pragma once

#include <cstdint>
#include <limits>

namespace heddle::unit_policy {

// Of a unit: of the one for the launch's own local size, edges, formats and disjointness, or of the
// generic one.
enum class State : std::uint8_t {
  absent,   // nobody has begun to build it
  building, // or queued
  ready,    // and fits the launch
  failed,   // or does not fit
};

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// Times are in nanoseconds.
struct Facts {
  // Of the launch.
  bool may_have_own = false; // such launches may have a unit of their own
  bool chooses_size = false; // the driver has chosen the local size, and the generic unit tells how
  bool may_begin_plain = false; // in code without optimizations
  bool has_many_groups = false; // so that it soon goes on in another unit
  bool waits_for_best = false;  // the program measures it to tune itself
  double plain_time = kUnknown; // of all its groups together in plain code
  double most_plain_time = 0;   // that is never too much; 0: only many groups begin so
  unsigned compute_units = 1;
  // Of the kernel.
  State own = State::absent;
  State generic = State::absent;
  double build_time = kUnknown; // that the build of such a unit is expected to take
  double own_left = kUnknown;   // of it, if it is being built
  double generic_left = kUnknown;
  double own_taken = 0;          // since that build has begun
  double used = 0;               // processor time of launches of this kind, in any unit
  double used_by_all = 0;        // of all kinds, which share the generic unit and the plain ones
  State quick = State::failed;   // of the plain unit with little optimization
  bool waits_for_others = false; // the target's build, because other ones come first
  unsigned kinds = 1;            // of launches until now, with this one

  // By the launches that such a target is built for.
  double used_for(bool target_is_own) const { return target_is_own ? used : used_by_all; }
};

enum class Run : std::uint8_t {
  own,
  generic,
  plain,              // and the target as soon as it is there
  plain_after_a_wait, // a short one for the target
  target,             // when it is there: the launch waits
};
enum class Priority : std::uint8_t {
  none,
  low,      // one thread, behind what launches wait for, or some time later
  full,     // before what nothing waits for
  reserved, // with a compute unit that runs no groups until it is done
};

struct Decision {
  Run run = Run::target;
  bool target_is_own = false;       // else the generic unit
  Priority target = Priority::none; // with which the target is built
  bool builds_quick = false;        // before the target, for launches until that is there
  bool operator==(const Decision&) const = default;
};

Decision decide(const Facts& facts) noexcept;

} // namespace heddle::unit_policy
