// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executor of each device.
#pragma once

#include "runtime/device/device.h"
#include "runtime/execution/executor.h"

namespace heddle {

// Where the device's commands run; made at the first use, and afresh in a forked child, where the
// threads of the parent do not exist. Devices of the same processors share one. Never destroyed:
// its threads may still be looking for work when the device goes. Throws std::bad_alloc and what
// making threads throws.
Executor& executor_of(Device& device);
// A compute unit that was reserved (reserved_units.h) is free: what waits for one may run.
void wake_pending() noexcept;

} // namespace heddle
