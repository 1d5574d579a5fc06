// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Freeing memory that running commands may still use.
#pragma once

#include "runtime/allocation/allocation_map.h"
#include "runtime/context/context.h"

namespace heddle {

class Queue;

// Frees the memory of an allocation that was removed from its map: at once if no command of the
// context is pending, otherwise when all pending commands have finished. A program that frees too
// early (OpenCL API 5.6, clSVMFree: the application's responsibility) then never has a kernel write
// into memory that was allocated since. `done`, which may be null, is a queue whose commands do not
// use the allocation any more.
void release_memory(Context& context, const Allocation& allocation, const Queue* done) noexcept;

// Waits until all commands that were enqueued in the context's queues have finished.
void finish_all_queues(Context& context);

} // namespace heddle
