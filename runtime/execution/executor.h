// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executor of a device: its ready commands, the kernels whose groups several threads share, and
// the threads.
//
// Workers are tasks on TBB threads. Each takes ready commands and ranges of groups until there are
// none, spin-waits for more for a short time, and ends. A thread that waits for an event does the
// same work meanwhile. At most as many threads as the device has compute units work at a time.
//
// Work of queues of a higher priority comes first. Threads that run pieces of a command look for it
// between them.
#pragma once

#include "runtime/core/mutex.h"
#include "runtime/device/numa.h"
#include "runtime/execution/command.h"
#include "runtime/execution/queue_hints.h"
#include "runtime/execution/reserved_units.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle {

class WorkerPool;

// Work that several threads share (Executor::share).
class SharedWork {
 public:
  virtual bool has_more() const noexcept = 0;
  virtual void participate() noexcept = 0;
  virtual const Queue& queue() const noexcept = 0;
  virtual void retain_work() noexcept = 0;
  virtual void release_work() noexcept = 0;

 protected:
  ~SharedWork() = default;

 private:
  friend class Executor;
  SharedWork* next_ = nullptr; // in the executor's list
  bool is_listed_ = false;
  Priority priority_ = Priority::medium; // of the queue, while it is listed
};

// Who is expected to run a command whose dependencies are complete.
enum class Taker : std::uint8_t {
  any,             // an idle worker, at once
  probably_caller, // the host often waits for what it has enqueued: idle workers leave a brief
                   // command to the calling thread for about two microseconds
  caller,          // the calling thread is about to wait: likewise, for all but large commands, and
                   // no worker is woken
};

class Executor { // NOLINT(clang-analyzer-optin.performance.Padding): is_urgent_ has its own line
 public:
  // If `cpus` is empty no thread is pinned. Otherwise workers are pinned to these processors, and
  // waiting threads, which are not, do not help.
  Executor(unsigned units, std::vector<int> cpus, std::uint64_t spin_nanoseconds);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  unsigned units() const { return units_; }
  // The NUMA nodes of its threads.
  const numa::Parts& parts() const { return parts_; }
  // Adds a command whose dependencies are complete.
  void push(Ref<Command> command, Taker taker) noexcept;
  // Shares work with other threads until none is left; the caller participates.
  void share(SharedWork& work, unsigned threads) noexcept;
  // Lists work, unless it is listed, for threads that look for some, and wakes so many of them. The
  // work must live until withdraw(), which may be called if it is not listed (any more).
  void offer(SharedWork& work, unsigned threads) noexcept;
  void withdraw(SharedWork& work) noexcept;
  // Shares work with `threads` auxiliary threads until none is left. For work that may wait for
  // other commands and must not occupy their threads. Returns the number of threads started.
  unsigned share_with_auxiliary(SharedWork& work, unsigned threads) noexcept;
  // Runs work of that queue on the calling thread, which waits for `event`; false if there is none
  // that this thread may run.
  bool help(Queue& queue, const Event& event) noexcept;
  // The main function of a worker; called by WorkerPool.
  void run() noexcept;
  // A hint that there is other work than what the calling thread runs.
  bool has_pending() const noexcept { return pending_.load(std::memory_order_relaxed) != 0; }
  // Not all queues have, or have had, the same priority.
  void expect_priorities() noexcept { has_priorities_.store(true, std::memory_order_relaxed); }
  bool has_priorities() const noexcept { return has_priorities_.load(std::memory_order_relaxed); }
  // A hint that there is work of a higher priority.
  bool has_above(Priority priority) const noexcept HEDDLE_NOT_ANALYZED { // reads atomics
    for (unsigned i = 0; i < static_cast<unsigned>(priority); ++i)
      if (levels_[i].pending.load(std::memory_order_relaxed) != 0)
        return true;
    return false;
  }
  // For threads that run pieces of a command of that priority, between them: runs work of a higher
  // one on this thread. The thread holds no lock, and no other one waits for it without working.
  void run_above(Priority priority) noexcept;
  // A hint that a worker spin-waits for work.
  bool has_idle() const noexcept { return idle_.load(std::memory_order_relaxed) != 0; }
  // Called around callbacks, during which the thread does not count as busy, because they may
  // block. Meanwhile another thread may run as an additional worker.
  void begin_callbacks() noexcept;
  void end_callbacks() noexcept;
  // Wakes a worker if there is pending work and a free compute unit. For threads that stop working
  // or spin-waiting.
  void wake_if_pending() noexcept;

 private:
  // A hint, as what it reads is.
  bool has_free_unit() const noexcept {
    return busy_.load(std::memory_order_relaxed) < reserved_units::rest(units_);
  }
  // What a thread is to run next: neither if there is nothing.
  struct Work {
    SharedWork* shared = nullptr; // retained
    Ref<Event> event;
    explicit operator bool() const noexcept { return shared || event; }
  };
  // The work of one priority.
  struct Level {
    std::atomic<int> pending{0};
    ReadyList ready;    // of the host
    ReadyList children; // of kernels, the newest first
    unsigned children_in_a_row = 0;
    SharedWork* shared = nullptr; // oldest first
  };
  Level& level(Priority priority) noexcept HEDDLE_REQUIRES(mutex_) {
    return levels_[static_cast<unsigned>(priority)];
  }
  // With mutex_ held.
  void add_pending(Level& level, bool is_urgent) noexcept HEDDLE_REQUIRES(mutex_);
  void remove_pending(Level& level) noexcept HEDDLE_REQUIRES(mutex_);
  // With mutex_ held. Writes only what changes, since idle workers read it all the time.
  void set_urgent(bool urgent) noexcept HEDDLE_REQUIRES(mutex_) {
    if (is_urgent_.load(std::memory_order_relaxed) != urgent)
      is_urgent_.store(urgent, std::memory_order_relaxed);
  }
  // A hint that find() may find something.
  bool may_find() const noexcept {
    return pending_.load(std::memory_order_relaxed) != 0 && has_free_unit();
  }
  enum class Found : std::uint8_t { nothing, work, incoming };
  Found spin(const Queue* queue) const noexcept;
  bool run_next(Queue* only, const Event* until, Ref<Queue>* spin_queue) noexcept;
  bool run_spin_queue(Ref<Queue>& spin_queue) noexcept;
  void run_counted(Ref<Event> event, const Event* until, Ref<Queue>* spin_queue) noexcept;
  void stop_spin_wait(Ref<Queue>& spin_queue) noexcept;
  void wake(unsigned count) noexcept;
  bool add_worker() noexcept;
  // With mutex_ held.
  Work find(const Queue* only) noexcept HEDDLE_REQUIRES(mutex_);
  Work find_at(Level& level, const Queue* only) noexcept HEDDLE_REQUIRES(mutex_);
  Ref<Event> take(Level& level, const Queue* only) noexcept HEDDLE_REQUIRES(mutex_);
  SharedWork* join(Level& level, const Queue* only) noexcept HEDDLE_REQUIRES(mutex_);
  void remove_shared(Level& level, SharedWork** place) noexcept HEDDLE_REQUIRES(mutex_);

  const unsigned units_;
  const bool pinned_;
  const std::uint64_t spin_nanoseconds_; // of a worker without a queue
  const numa::Parts parts_;
  Mutex mutex_;
  std::array<Level, kPriorities> levels_ HEDDLE_GUARDED_BY(mutex_);
  // Work before which some of a lower priority has been left.
  unsigned above_in_a_row_ HEDDLE_GUARDED_BY(mutex_) = 0;
  unsigned turns_ HEDDLE_GUARDED_BY(mutex_) = 0; // how often some was run nevertheless
  std::atomic<bool> has_priorities_{false};
  std::atomic<int> pending_{
      0}; // ready commands and shared work; sequentially consistent, as idle_ and workers_ are
  std::atomic<unsigned> pushes_{0}; // of commands, ever; written with mutex_ held
  // Threads that are working. Incremented with mutex_ held and only by a thread that has found
  // work, so that a thread that merely polls keeps no other from working.
  std::atomic<unsigned> busy_{0};
  std::atomic<unsigned> workers_{0};
  std::atomic<unsigned> in_callbacks_{0}; // workers that are in callbacks
  std::atomic<unsigned> idle_{0};         // workers that spin-wait for work
  std::unique_ptr<WorkerPool> threads_;
  // Some of the pending work may not be left to threads that wait. Written with mutex_ held; on a
  // cache line of its own, which threads that spin-wait read all the time.
  alignas(64) std::atomic<bool> is_urgent_{false};
};

} // namespace heddle
