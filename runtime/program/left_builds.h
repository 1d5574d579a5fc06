// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an exiting process leaves to a helper (build_helper.h), and in which order.
#pragma once

#include "runtime/program/unit_build.h"

#include <functional>
#include <vector>

namespace heddle {

// A build of a unit without which launches have begun.
struct LeftBuild {
  BuildRef build;
  double used = 0; // processor time of those launches, in nanoseconds
};

// The builds, by what launches gain for the time that a build takes, because the next process may
// begin at once. With `adds_quick`, together with the quick units of their kernels, but for those
// that `has` (the cache).
std::vector<BuildRef> order_left_builds(std::vector<LeftBuild> builds, bool adds_quick,
                            const std::function<bool(const UnitBuild&)>& has);

} // namespace heddle
