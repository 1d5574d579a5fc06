// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executors of each device: one, and one for queues of low throttle.
#pragma once

#include "runtime/device/device.h"
#include "runtime/execution/executor.h"
#include "runtime/execution/queue.h"

namespace heddle {

// Where the commands of the device's queues of that throttle run; made at the first use, and afresh
// in a forked child, where the threads of the parent do not exist. Devices of the same processors
// share one. Never destroyed: its threads may still be looking for work when the device goes.
// Throws std::bad_alloc and what making threads throws.
Executor& executor_of(Device& device, Throttle throttle);
inline Executor& executor_of(const Queue& queue) {
  return executor_of(queue.device(), queue.hints().throttle);
}
// A compute unit that was reserved (reserved_units.h) is free: what waits for one may run.
void wake_pending() noexcept;

} // namespace heddle
