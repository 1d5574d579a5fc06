// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills at addresses that come from the program and cannot be validated: a fault fails
// the command, as in a kernel.
#pragma once

#include "runtime/context/context.h"
#include "runtime/execution/fault_guard.h"

#include <cstddef>

namespace heddle::guarded_memory {

// memmove(to, from, bytes). Returns false if it faulted; `fault` then has the address.
bool move(std::byte* to, const std::byte* from, std::size_t bytes, Fault& fault) noexcept;
// fill::repeat, likewise.
bool fill(std::byte* to, std::size_t bytes, const std::byte* pattern, std::size_t pattern_bytes,
          Fault& fault) noexcept;

// Reports the fault of a command, named by its entry point, to the context's callback and standard
// error. Returns the event status.
cl_int report(const Context& context, const char* command, const Fault& fault) noexcept;

// The location of a faulting address relative to the nearest allocation of the context, such as
// ", 16 bytes after the end of the shared USM allocation of ...". Empty if there is no allocation.
// Throws std::bad_alloc.
std::string place_among_allocations(const Context& context, const void* address);

} // namespace heddle::guarded_memory
