// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads in addition to the executors' workers. They run work that may wait for other commands of
// the device, and replace TBB's threads in a forked child, in a process in which TBB could not be
// started, and while callbacks block workers. The system schedules them together with the workers.
#pragma once

namespace heddle::auxiliary_threads {

// Calls `function` on a thread of its own. False if the system has no thread for it.
bool start(void (*function)(void*), void* argument) noexcept;

} // namespace heddle::auxiliary_threads
