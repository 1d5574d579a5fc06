// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recovers from faults of guarded code, with a jump: guarded code owns nothing that needs
// unwinding.
//
// One handler for the signals that instructions raise (runtime/target) and SIGABRT. It acts only on
// threads that are inside guarded code; every other signal is forwarded to the handler that was
// installed before.
#pragma once

#include "runtime/checks/finding.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <pthread.h>
#include <string>

namespace heddle {

struct Fault {
  int signal = 0;
  const void* address = nullptr;     // accessed, for SIGSEGV and SIGBUS; null if it is not known
  bool is_misaligned = false;        // the instruction needs an aligned address
  const void* instruction = nullptr; // that faulted
  std::string message;               // of leave_guarded()
  std::optional<checks::Finding> finding; // of a check that has failed
  const char* left = nullptr;             // of ask_to_leave()
  bool is_stopped = false;                // by ask_to_stop()
  std::string signal_name() const;        // "SIGSEGV (invalid memory access)"
};

namespace fault_guard {

// Where a kernel's thread continues after a fault: called on the given stack, never returns. Must
// not allocate.
struct Exit {
  void (*function)(void* context);
  void* context;
  std::byte* stack_top; // aligned to 16
};

// Installs the handlers and gives the calling thread a signal stack, unless both are in place.
// Called before guarded code runs.
void prepare_thread() noexcept;
// Between these calls the calling thread is inside a kernel: a fault is stored in `fault`, and
// control is transferred to `exit`, which lives until then. `stop` (may be null): the flag of
// ask_to_stop().
void enter_kernel(const Exit& exit, Fault* fault, const std::atomic<bool>* stop) noexcept;
void leave_kernel() noexcept;
// On the kernel's stack: whether the thread may leave at any instruction, because it holds no lock
// and owns nothing that needs unwinding. Initially it may not. Returns what held before.
bool allow_stop(bool allowed) noexcept;
// Makes the thread leave its kernel, as a fault does, if its flag is set and the kernel allows it;
// otherwise has no effect, and the caller may ask again. The thread must not have been joined.
// Returns at once.
void ask_to_stop(pthread_t thread) noexcept;

// Calls the function on this thread; false if it faulted, aborted or called leave_guarded(). What
// it owned is leaked.
bool run_guarded(const std::function<void()>& function, Fault* fault);
// Only inside run_guarded()'s function, on the same thread.
[[noreturn]] void leave_guarded(const char* message);

// An address range of machine code, [begin, end).
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
// Makes the thread leave its run_guarded() if it currently executes inside it and inside `code`;
// otherwise has no effect, and the caller may ask again. The thread must not have been joined.
// Returns at once. At most one caller at a time for each thread; `code` and `message` must outlive
// the request.
void ask_to_leave(pthread_t thread, const CodeRange& code, const char* message) noexcept;

} // namespace fault_guard
} // namespace heddle
