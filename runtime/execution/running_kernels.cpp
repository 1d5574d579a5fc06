// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/running_kernels.h"

#include "runtime/core/lock.h"
#include "runtime/core/process.h"
#include "runtime/execution/fault_guard.h"

#include <chrono>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace heddle::running_kernels {
namespace {

constexpr auto kBetweenSignals = std::chrono::microseconds(100);
constexpr int kMaxSignals = 10'000; // one second

// Held during forks: a child forked while another thread held it could not run such a kernel.
constinit SleepingMutex mutex;
constinit Thread*
    first HEDDLE_GUARDED_BY(mutex) = nullptr; // also those of the parents of a forked child

void keep_over_forks() noexcept {
  static const int once = pthread_atfork([]() HEDDLE_ACQUIRES(mutex) { mutex.lock(); },
                                         []() HEDDLE_RELEASES(mutex) { mutex.unlock(); },
                                         []() HEDDLE_RELEASES(mutex) { mutex.unlock(); });
  (void)once;
}

} // namespace

Thread::~Thread() {
  if (!is_listed_)
    return;
  const Lock lock(mutex);
  auto** place = &first;
  while (*place != this)
    place = &(*place)->next_;
  *place = next_;
}

void Thread::begin(const std::atomic<bool>& flag) noexcept {
  if (!is_listed_ || fork_generation_ != process::fork_generation()) {
    keep_over_forks();
    const Lock lock(mutex);
    thread_ = pthread_self();
    fork_generation_ = process::fork_generation();
    if (!is_listed_) {
      next_ = first;
      first = this;
      is_listed_ = true;
    }
  }
  // Before the thread reads the flag: either it does not run the kernel, or stop() sees it.
  flag_.store(&flag, std::memory_order_seq_cst);
}

void Thread::end() noexcept {
  const auto* flag = flag_.exchange(nullptr, std::memory_order_seq_cst);
  if (!flag->load(std::memory_order_seq_cst))
    return;
  // No signal is sent any more behind the lock, and those that were sent arrive before this thread
  // returns from a system call: none interrupts one of the program.
  { const Lock lock(mutex); }
  syscall(SYS_gettid);
}

void stop(const std::atomic<bool>& flag) noexcept {
  for (int signals = 0; signals < kMaxSignals; ++signals) {
    bool is_inside = false;
    {
      const Lock lock(mutex);
      for (auto* thread = first; thread; thread = thread->next_) {
        if (thread->fork_generation_ != process::fork_generation() ||
            thread->flag_.load(std::memory_order_seq_cst) != &flag)
          continue;
        is_inside = true;
        fault_guard::ask_to_stop(thread->thread_);
      }
    }
    if (!is_inside)
      return;
    std::this_thread::sleep_for(kBetweenSignals);
  }
}

} // namespace heddle::running_kernels
