// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that finishes what another one leaves when it exits: builds of units that launches have
// begun without, for the cache.
//
// It is the `heddle` command beside the driver, which calls heddle_finish_builds() of the driver.
// It has nothing of the other process but the builds, runs at the lowest priority, and ends with
// them or after a minute.
#pragma once

#include "runtime/program/unit_build.h"

#include <vector>

namespace heddle::build_helper {

// Whether processes may leave builds to one: HEDDLE_LINGER is set, there is a cache and the
// command, and no container ends with this process.
bool is_possible() noexcept;
// Starts one for these builds, in this order. False if that cannot be.
bool start(const std::vector<BuildRef>& builds) noexcept;
// In the helper: what start() has written to this file. The exit status.
int finish(int file) noexcept;

} // namespace heddle::build_helper
