// Lets code fault without taking the process down (design: faults are left by a jump, because what
// is guarded owns nothing that needs unwinding).
//
// One handler for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT. It acts only on threads that are
// inside guarded code; every other signal goes to the handler that was there before.
#pragma once

#include <cstdint>
#include <functional>
#include <pthread.h>
#include <string>

namespace heddle {

struct Fault {
  int signal = 0;
  const void* address = nullptr;     // what was accessed, for SIGSEGV and SIGBUS
  const void* instruction = nullptr; // where
  std::string message;               // given to leave_guarded
  const char* left = nullptr;        // given to ask_to_leave
  std::string signal_name() const;   // "SIGSEGV (invalid memory access)"
};

namespace fault_guard {

// Where a kernel thread goes on after a fault: called on the given stack, never returns. Must not
// allocate.
struct Exit {
  void (*function)(void* context);
  void* context;
  void* stack_top; // aligned to 16
};

// Makes the handlers current and gives the calling thread a signal stack. Cheap when nothing is to
// be done; called before guarded code runs.
void prepare_thread() noexcept;
// Between these the calling thread is inside a kernel: a fault is stored in `fault` and control
// goes to `exit`.
void enter_kernel(const Exit& exit, Fault* fault) noexcept;
void leave_kernel() noexcept;

// Calls the function on this thread; false if it faulted, aborted or left through leave_guarded.
// What it owned is lost.
bool run_guarded(const std::function<void()>& function, Fault* fault);
// From inside run_guarded's function, on the same thread.
[[noreturn]] void leave_guarded(const char* message);

// Addresses of machine code, first and one past the last.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
// Makes the thread leave its run_guarded if it runs inside it and inside `code` just now; otherwise
// nothing happens and the caller may ask again. The thread must not have been joined. Returns at
// once. One asker at a time for each thread; `code` and `message` must live on.
void ask_to_leave(pthread_t thread, const CodeRange& code, const char* message) noexcept;

} // namespace fault_guard
} // namespace heddle
