// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving and filling memory by addresses that a program gives and nobody can check: those that are
// wrong fail the command, as a kernel's do.
#pragma once

#include "runtime/context/context.h"
#include "runtime/execution/fault_guard.h"

#include <cstddef>

namespace heddle::guarded_memory {

// memmove(to, from, bytes); false if it faulted, and `fault` says where.
bool move(std::byte* to, const std::byte* from, std::size_t bytes, Fault& fault) noexcept;
// fill::repeat; likewise.
bool fill(std::byte* to, std::size_t bytes, const std::byte* pattern, std::size_t pattern_bytes,
          Fault& fault) noexcept;

// Tells the context's callback and standard error that a command (named by its entry point) has
// failed so; answers the status of its event.
cl_int report(const Context& context, const char* command, const Fault& fault) noexcept;

// ", 16 bytes behind the end of the shared USM allocation of ...": where an address that faulted
// lies among the context's allocations. Empty if there are none. Throws std::bad_alloc.
std::string place_among_allocations(const Context& context, const void* address);

} // namespace heddle::guarded_memory
