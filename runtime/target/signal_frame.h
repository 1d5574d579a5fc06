// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers of the code that a signal has interrupted. All functions are safe in signal
// handlers.
#pragma once

#include <csignal>
#include <cstddef>
#include <optional>
#include <span>
#include <ucontext.h>

namespace heddle::signal_frame {

// Those that instructions raise.
std::span<const int> signals() noexcept;

// The instruction that was interrupted or has faulted.
void* instruction(const mcontext_t& machine) noexcept;

// Lets the handler return into function(context) on the stack that ends at `stack_top`, as if it
// had just been called. The function must not return.
void call(mcontext_t& machine, void (*function)(void*), void* context,
          std::byte* stack_top) noexcept;

struct Access {
  const void* address;
  bool is_misaligned; // the instruction needs an aligned address
};
// What the instruction has accessed, where siginfo_t does not tell. Nothing if it is not known.
std::optional<Access> find_access(const mcontext_t& machine, int signal,
                                  const siginfo_t& info) noexcept;

} // namespace heddle::signal_frame
