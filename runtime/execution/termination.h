// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_terminate_context (OpenCL API 4.4, clTerminateContextKHR).
//
// The flag of the context comes first; what happens then follows from it:
// - Commands that have not begun are taken from what they wait for, and end on the calling thread.
//   In an in-order queue each ends in its turn.
// - Kernels end between ranges of groups, because their threads read the flag, and inside of groups
//   by a signal, as after a fault (fault_guard.h, running_kernels.h).
// - Copies and fills end between pieces, replays of command buffers between commands.
// - Native kernels and callbacks are the program's functions: they end by themselves.
#pragma once

#include "runtime/execution/event.h"

#include <CL/cl.h>

namespace heddle {

// CL_INVALID_OPERATION if the context cannot be terminated, CL_CONTEXT_TERMINATED_KHR.
cl_int terminate(Context& context) noexcept;

// An event of a kernel, which goes with the context even if that ends the kernel before it has
// released the event. Throws std::bad_alloc.
void keep_kernel_event(Event& event);
// The kernel has released it for the last time.
void drop_kernel_event(Event& event) noexcept;

} // namespace heddle
