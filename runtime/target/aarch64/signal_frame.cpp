// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/signal_frame.h"

#include <cstdint>

namespace heddle::signal_frame {
namespace {

// SIGTRAP is of BRK, which traps are compiled to.
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};

} // namespace

std::span<const int> signals() noexcept { return kSignals; }

void* instruction(const mcontext_t& machine) noexcept {
  return reinterpret_cast<void*>(machine.pc);
}

void call(mcontext_t& machine, void (*function)(void*), void* context,
          std::byte* stack_top) noexcept {
  machine.sp = reinterpret_cast<std::uintptr_t>(stack_top) & ~std::uintptr_t{15};
  machine.pc = reinterpret_cast<std::uintptr_t>(function);
  machine.regs[0] = reinterpret_cast<std::uintptr_t>(context);
  machine.regs[29] = 0; // the end of the frame chain
  machine.regs[30] = 0; // nothing to return to
}

// The system gives every address. Ordinary accesses need no alignment; exclusive ones and those
// that acquire or release do.
std::optional<Access> find_access(const mcontext_t& /*machine*/, int signal,
                                  const siginfo_t& info) noexcept {
  if (signal != SIGBUS || info.si_code != BUS_ADRALN)
    return std::nullopt;
  return Access{info.si_addr, true};
}

} // namespace heddle::signal_frame
