// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Giving back memory that commands may still use.
#pragma once

#include "runtime/allocation/allocation_map.h"
#include "runtime/context/context.h"

namespace heddle {

class Queue;

// Gives an allocation's memory, which is in no map any more, back to the system: at once if no
// command of the context is under way, else when those that are have finished. So a program that
// frees too early (OpenCL API 5.6, clSVMFree: its own responsibility) does not have kernels write
// into what others have got meanwhile. `done`, which may be null, is a queue of whose commands none
// uses it any more.
void release_memory(Context& context, const Allocation& allocation, const Queue* done) noexcept;

// Waits until all commands that were enqueued in the context's queues have finished.
void finish_all_queues(Context& context);

} // namespace heddle
