// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/units/policy.h"

#include <algorithm>

namespace heddle::unit_policy {
namespace {

// Launches of more kinds than this share the generic unit until they have used the time of a build:
// a kernel whose sizes vary would have a build for each launch.
constexpr unsigned kMaxKinds = 2;
// Plain code is taken where it costs less than this part of the time for which the launch would
// wait.
constexpr double kLeastGain = 0.5;

// A build that has gone on for this part of its time is worth waiting for, though another unit
// would be better.
constexpr double kNearlyDone = 0.5;
// A build that has gone on for so many times as long as expected has much code, which makes the
// best unit, but plain code would go on for too long.
constexpr double kOverdue = 2;

// A quick unit takes this part of the time of an optimized one, and is built for launches that use
// this part of that.
constexpr double kQuickTime = 0.15;
constexpr double kLeastQuickUse = 0.1;
// Beside it, launches that use less than this part of the optimized build's time are in no hurry.
constexpr double kLeastTargetUse = 0.05;

// Launches that have used this part of the build's time are expected to use more than the build
// costs them, which is done in half of the time with a processor of its own.
constexpr double kLeastReservedUse = 0.25;

// Whether the generic unit, too, is to bridge the time.
bool is_overdue(const Facts& facts) {
  return facts.own == State::building && facts.own_taken > facts.build_time * kOverdue &&
         facts.used >= facts.build_time && facts.compute_units > 1;
}

bool takes_own(const Facts& facts) {
  if (!facts.may_have_own || facts.own == State::failed)
    return false;
  if (facts.generic == State::failed)
    return true;
  if (facts.own == State::building)
    return !is_overdue(facts);
  if (facts.generic == State::building && facts.generic_left < facts.build_time * kNearlyDone)
    return false;
  return !facts.chooses_size && facts.kinds <= kMaxKinds;
}

// Of a target whose launches have used so much time.
Priority priority(const Facts& facts, double used, double left) {
  if (facts.quick != State::failed && used + facts.plain_time < facts.build_time * kLeastTargetUse)
    return Priority::low;
  const bool uses_much = used >= facts.build_time * kLeastReservedUse ||
                         (facts.plain_time != kUnknown && facts.plain_time >= left);
  return uses_much && facts.compute_units > 1 ? Priority::reserved : Priority::full;
}

// Where the target's build begins at once, a quick one would only delay it.
bool builds_quick(const Facts& facts, Priority target, double left) {
  const auto time = facts.build_time * kQuickTime;
  return facts.quick == State::absent && left > 2 * time &&
         (facts.waits_for_others || target == Priority::low) &&
         facts.used_by_all + facts.plain_time >= time * kLeastQuickUse;
}

// No optimized unit is there.
Decision begin(const Facts& facts) {
  Decision decision;
  decision.target_is_own = takes_own(facts);
  const auto& state = decision.target_is_own ? facts.own : facts.generic;
  const auto left = state != State::building ? facts.build_time
                    : decision.target_is_own ? facts.own_left
                                             : facts.generic_left;
  decision.target = Priority::full;
  if (!facts.may_begin_plain || facts.waits_for_best)
    return decision;
  // One processor: what plain code uses delays the build.
  const auto used = facts.used_for(decision.target_is_own);
  const auto before = facts.compute_units > 1 ? 0 : used;
  const auto most = std::max(facts.most_plain_time, left * kLeastGain);
  if (facts.most_plain_time > 0 && before + facts.plain_time <= most)
    decision.run = Run::plain;
  else if (facts.has_many_groups && before <= most)
    decision.run = Run::plain_after_a_wait;
  else
    return decision;
  decision.target = priority(facts, used, left);
  decision.builds_quick = builds_quick(facts, decision.target, left);
  return decision;
}

} // namespace

Decision decide(const Facts& facts) noexcept {
  if (facts.own == State::ready)
    return {Run::own, true, Priority::none};
  if (facts.generic != State::ready)
    return begin(facts);
  const bool builds_own =
      facts.may_have_own && facts.own == State::absent && facts.used >= facts.build_time;
  return {Run::generic, builds_own, builds_own ? Priority::low : Priority::none};
}

} // namespace heddle::unit_policy
