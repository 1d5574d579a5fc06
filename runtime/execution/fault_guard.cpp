// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/fault_guard.h"

#include "runtime/core/clock.h"
#include "runtime/core/lock.h"
#include "runtime/core/thread_end.h"
#include "runtime/core/thread_sanitizer.h"
#include "runtime/target/signal_frame.h"

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace heddle::fault_guard {
namespace {

constexpr std::size_t kSignalStackBytes = 64 * 1024;
constexpr std::uint64_t kCheckNanoseconds = 1'000'000;

struct Inside {
  const Exit* exit = nullptr;     // of a kernel
  sigjmp_buf* recovery = nullptr; // run_guarded
  Fault* fault = nullptr;
  const std::atomic<bool>* stop = nullptr; // of a kernel
  bool allows_stop = false;
};

// Trivial, so that the handler may read it: no constructor runs at first use.
thread_local Inside inside;

// The payload of ask_to_stop()'s signal: its address.
constexpr char kStopRequest = 0;

bool is_own(int signal, const siginfo_t* info) {
  return signal == SIGABRT && info->si_code == SI_QUEUE && info->si_pid == getpid();
}

// The payload of ask_to_leave()'s signal; never freed, because the signal may be pending for long.
struct LeaveRequest {
  std::atomic<std::uintptr_t> begin{0}, end{0}; // of the code
  std::atomic<const char*> message{nullptr};
};
constexpr std::uint32_t kLeaveRequests = 64;
LeaveRequest leave_requests[kLeaveRequests];
std::atomic<std::uint32_t> next_leave_request{0};

// The request of a signal, or null if another process or thread sent it.
const LeaveRequest* leave_request(int signal, const siginfo_t* info) {
  if (!is_own(signal, info))
    return nullptr;
  const auto* request = static_cast<const LeaveRequest*>(info->si_value.sival_ptr);
  return request >= leave_requests && request < leave_requests + kLeaveRequests ? request : nullptr;
}

// The handlers that Heddle's replaced, oldest first: the host program may install others while it
// runs. Counts only grow, and an entry is complete before it is counted, so that the handler may
// read it.
constexpr int kMaxReplaced = 8;
struct Replaced {
  struct sigaction actions[kMaxReplaced];
  std::atomic<int> count{0};
} replaced[NSIG];

// A handler to which Heddle forwards a signal may call the handler that it replaced: Heddle's. Such
// a call belongs to the same signal and is forwarded to the next older handler. It is distinguished
// from a new signal by its context and by being deeper on the same stack; a handler that left by
// longjmp is no longer on the stack.
struct PassingOn {
  const void* context = nullptr;
  std::uintptr_t frame = 0;
  int older = 0; // the number of handlers left for such a call
};
thread_local PassingOn passing_on;

std::atomic<std::uint64_t> next_check{0};

void pass_on(int signal, siginfo_t* info, void* context) {
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const bool again = passing_on.context == context && frame < passing_on.frame;
  const int count =
      again ? passing_on.older : replaced[signal].count.load(std::memory_order_acquire);
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  if (count > 0)
    action = replaced[signal].actions[count - 1];
  const auto outer = passing_on;
  passing_on = {context, again ? outer.frame : frame, count > 0 ? count - 1 : 0};
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction(signal, info, context);
  } else if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
    // Ignored only if a process sent the signal. Otherwise the instruction runs again without a
    // handler and ends the process with the default action.
    if (action.sa_handler == SIG_DFL || info->si_code > 0) {
      struct sigaction plain {};
      plain.sa_handler = SIG_DFL;
      sigaction(signal, &plain, nullptr);
      if (info->si_code <= 0 || signal == SIGABRT)
        raise(signal);
    }
  } else {
    action.sa_handler(signal);
  }
  // This also keeps the frame on the stack while the handler runs.
  passing_on = outer;
}

// Returns into exit->function on its stack, as if it had just been called.
void go_to_exit(mcontext_t& machine) {
  inside.fault = nullptr;
  inside.allows_stop = false;
  signal_frame::call(machine, inside.exit->function, inside.exit->context, inside.exit->stack_top);
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  if (const auto* request = leave_request(signal, info)) {
    const auto at = reinterpret_cast<std::uintptr_t>(signal_frame::instruction(machine));
    if (inside.fault && inside.recovery && at >= request->begin && at < request->end) {
      inside.fault->left = request->message;
      inside.fault = nullptr;
      siglongjmp(*inside.recovery, 1);
    }
    errno = saved_errno;
    return;
  }
  if (is_own(signal, info) && info->si_value.sival_ptr == &kStopRequest) {
    auto* at = signal_frame::instruction(machine);
    if (inside.fault && inside.allows_stop && inside.stop->load(std::memory_order_relaxed) &&
        !is_in_thread_sanitizer(at)) {
      inside.fault->is_stopped = true;
      go_to_exit(machine);
    }
    errno = saved_errno;
    return;
  }
  const bool synchronous = info->si_code > 0 || signal == SIGABRT;
  if (!inside.fault || !synchronous || (signal == SIGABRT && !inside.recovery)) {
    errno = saved_errno;
    pass_on(signal, info, context);
    return;
  }
  inside.fault->signal = signal;
  inside.fault->address = info->si_addr;
  inside.fault->is_misaligned = false;
  if (const auto access = signal_frame::find_access(machine, signal, *info)) {
    inside.fault->address = access->address;
    inside.fault->is_misaligned = access->is_misaligned;
  }
  inside.fault->instruction = signal_frame::instruction(machine);
  if (inside.recovery) {
    inside.fault = nullptr;
    siglongjmp(*inside.recovery, 1);
  }
  go_to_exit(machine);
  errno = saved_errno;
}

// Held during forks: a child forked while another thread held it could not run a kernel.
constinit SleepingMutex install_mutex;

void keep_over_forks() noexcept {
  static const int once =
      pthread_atfork([]() HEDDLE_ACQUIRES(install_mutex) { install_mutex.lock(); },
                     []() HEDDLE_RELEASES(install_mutex) { install_mutex.unlock(); },
                     []() HEDDLE_RELEASES(install_mutex) { install_mutex.unlock(); });
  (void)once;
}

void install() noexcept {
  keep_over_forks();
  const Lock lock(install_mutex);
  const auto replace = [](int signal) {
    struct sigaction current {};
    sigaction(signal, nullptr, &current);
    if ((current.sa_flags & SA_SIGINFO) && current.sa_sigaction == on_signal)
      return;
    auto& older = replaced[signal];
    const int count = older.count.load(std::memory_order_relaxed);
    if (count == kMaxReplaced) { // replace the newest
      older.actions[count - 1] = current;
    } else {
      older.actions[count] = current;
      older.count.store(count + 1, std::memory_order_release);
    }
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
  };
  for (const auto signal : signal_frame::signals())
    replace(signal);
  replace(SIGABRT);
}

// A thread's signal stack, unless the host program has installed one.
struct SignalStack {
  void* memory;
  bool is_there;
};
thread_local constinit SignalStack signal_stack{};

void give_back_signal_stack() noexcept {
  auto* memory = std::exchange(signal_stack, {}).memory;
  if (!memory)
    return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(memory, kSignalStackBytes);
}
thread_local constinit thread_end::Hook signal_stack_end{give_back_signal_stack};

void use_signal_stack() noexcept {
  if (signal_stack.is_there)
    return;
  signal_stack.is_there = true;
  thread_end::add(signal_stack_end);
  stack_t current{};
  if (sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE))
    return;
  void* memory =
      mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  signal_stack.memory = memory;
  stack_t ours{};
  ours.ss_sp = memory;
  ours.ss_size = kSignalStackBytes;
  sigaltstack(&ours, nullptr);
}

} // namespace

void prepare_thread() noexcept {
  use_signal_stack();
  const auto now = coarse_nanoseconds();
  if (now < next_check.load(std::memory_order_acquire))
    return;
  // Only then: a thread that finds the handlers checked relies on them at once.
  install();
  next_check.store(now + kCheckNanoseconds, std::memory_order_release);
}

void enter_kernel(const Exit& exit, Fault* fault, const std::atomic<bool>* stop) noexcept {
  inside.exit = &exit;
  inside.recovery = nullptr;
  inside.stop = stop;
  inside.allows_stop = false;
  std::atomic_signal_fence(std::memory_order_release);
  inside.fault = fault;
  std::atomic_signal_fence(std::memory_order_release);
}

void leave_kernel() noexcept {
  std::atomic_signal_fence(std::memory_order_release);
  inside.fault = nullptr;
}

bool allow_stop(bool allowed) noexcept {
  std::atomic_signal_fence(std::memory_order_acq_rel);
  const bool before = std::exchange(inside.allows_stop, allowed && inside.stop);
  std::atomic_signal_fence(std::memory_order_acq_rel);
  return before;
}

void ask_to_stop(pthread_t thread) noexcept {
  install(); // a handler that the program has installed since would treat the signal as fatal
  sigval value{};
  value.sival_ptr = const_cast<char*>(&kStopRequest);
  pthread_sigqueue(thread, SIGABRT, value);
}

bool run_guarded(const std::function<void()>& function, Fault* fault) {
  use_signal_stack();
  install();
  sigjmp_buf recovery;
  if (sigsetjmp(recovery, 1) != 0) {
    inside.recovery = nullptr;
    return false;
  }
  inside.recovery = &recovery;
  inside.fault = fault;
  const auto leave = [] {
    inside.fault = nullptr;
    inside.recovery = nullptr;
  };
  try {
    function();
  } catch (...) {
    leave();
    throw;
  }
  leave();
  return true;
}

void leave_guarded(const char* message) {
  if (inside.fault && inside.recovery) {
    inside.fault->message = message;
    inside.fault = nullptr;
    siglongjmp(*inside.recovery, 1);
  }
  std::abort();
}

void ask_to_leave(pthread_t thread, const CodeRange& code, const char* message) noexcept {
  // A handler that the host program has installed since would treat the signal as fatal.
  struct sigaction current {};
  if (sigaction(SIGABRT, nullptr, &current) != 0 || !(current.sa_flags & SA_SIGINFO) ||
      current.sa_sigaction != on_signal)
    return;
  auto& request = leave_requests[next_leave_request.fetch_add(1) % kLeaveRequests];
  request.begin = code.begin;
  request.end = code.end;
  request.message = message;
  sigval value{};
  value.sival_ptr = &request;
  pthread_sigqueue(thread, SIGABRT, value);
}

} // namespace heddle::fault_guard

namespace heddle {

std::string Fault::signal_name() const {
  switch (signal) {
  case 0:
    return left ? left : message;
  case SIGSEGV:
    return is_misaligned ? "SIGSEGV (misaligned memory access)" : "SIGSEGV (invalid memory access)";
  case SIGBUS:
    return is_misaligned ? "SIGBUS (misaligned memory access)" : "SIGBUS (bus error)";
  case SIGILL:
    return "SIGILL (invalid instruction)";
  case SIGFPE:
    return "SIGFPE (arithmetic exception)";
  case SIGTRAP:
    return "SIGTRAP (trap)";
  case SIGABRT:
    return "SIGABRT (abort)";
  default:
    return "signal " + std::to_string(signal);
  }
}

} // namespace heddle
