// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which thread builds which unit, and when.
//
// Units that a program will probably need are built in the background, by one thread less than the
// device has compute units, but at least one, so that the program's own thread has a processor, and
// one more for each thread of the program that waits for a build meanwhile:
// first those that launches run in place of, then the others in the order in which they were asked
// for. The first build of the process that a launch waits for has the compiler to itself for a few
// milliseconds. Who needs a unit now builds it on its own thread, or waits for the thread that
// does. A build that nobody needs any more is cancelled. The builds in the background stop while
// the process forks, go on afterwards in the parent, and begin again in the child when it asks for
// a unit; and they stop for good when the process exits, though not at once.
#pragma once

#include "runtime/program/build_order.h"
#include "runtime/program/unit_build.h"

#include <chrono>
#include <cstdint>

namespace heddle::unit_scheduler {

enum class Urgency : std::uint8_t {
  needed_soon,
  better,     // than a unit that is there: by one thread
  comparison, // with one that is there: by one thread, of the lowest priority
  unlikely,   // to be needed, since the launches have stopped: as for comparison
};

// Builds in the background. Does nothing if that cannot be: need() builds.
void start(const BuildRef& build, Urgency urgency = Urgency::needed_soon) noexcept;
// The same, but not before so long a time has passed, in which something better may be asked for.
void start_later(const BuildRef& build, std::chrono::milliseconds delay) noexcept;
// Something better has been: the build ends in vain, unless somebody waits for it, who then builds.
void withdraw(const BuildRef& build) noexcept;
// Ends the build if its unit is in the program's file or the cache, and nobody has begun it.
// Otherwise it is as before. Throws std::bad_alloc.
void find(const BuildRef& build);
// Returns when the build is done. Throws std::bad_alloc.
void need(const BuildRef& build);
// Begins the build at once, on another thread, and waits for so long at most. True if the build is
// done, or if need() must do it. Where builds have all compute units already it comes next, and
// nothing is waited for.
bool need_within(const BuildRef& build, std::chrono::milliseconds time);
// What launches that begin without a build tell of it.
struct Launches {
  bool again = false;                         // another process has left it undone
  std::uint64_t nanoseconds = 0;              // processor time that they have used
  double build_time = kUsualBuildNanoseconds; // as in WantedBuild
  bool reserves_processor = false;            // the build is worth more than the processor's groups
  bool is_urgent = true; // so that it does not wait for the time of start_later()
  // After this time without another one none is expected in this process: what is not being built
  // then leaves the processors to other kernels' launches.
  std::chrono::steady_clock::time_point expected_until =
      std::chrono::steady_clock::time_point::max();
};
// Whether others come first: one that runs or that launches have begun without.
bool waits_for_others(const BuildRef& build) noexcept;
// A launch has begun without the build: it comes before others that have not begun, and if it runs
// when it is abandoned or the process exits, it may end, for the cache. An exit waits 50 ms for it,
// longer in proportion to the time that the launches have used, and a second `again`.
void prefer(const BuildRef& build, const Launches& launches) noexcept;
// Ends a build that nobody will ask for again.
void abandon(const BuildRef& build) noexcept;

} // namespace heddle::unit_scheduler
