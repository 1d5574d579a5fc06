// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order units are built without which launches have begun: by the process, and by the
// helper (build_helper.h) to which it leaves them when it exits.
#pragma once

#include "runtime/program/unit_build.h"

#include <functional>
#include <vector>

namespace heddle {

// Of a kernel of which nothing is known.
constexpr double kUsualBuildNanoseconds = 50'000'000;

// A build of a unit without which launches have begun.
struct WantedBuild {
  BuildRef build;
  double used = 0; // processor time of those launches, in nanoseconds
  // That an optimized unit of the kernel is expected to take, in nanoseconds.
  double build_time = kUsualBuildNanoseconds;
};

// Also of two programs.
bool has_same_result(const UnitBuild& build, const UnitBuild& other);

// What the launches gain by the unit for each nanosecond of its build. Not 0: they may have used no
// time yet.
double gain(const WantedBuild& wanted);

// The builds, by what launches gain for the time that a build takes, because the next process may
// begin at once. With `adds_quick`, together with the quick units of their kernels, but for those
// that `has` (the cache).
std::vector<BuildRef> order_builds(std::vector<WantedBuild> builds, bool adds_quick,
                                   const std::function<bool(const UnitBuild&)>& has);

} // namespace heddle
