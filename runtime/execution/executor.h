// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executor of a device: its ready commands, the kernels whose groups several threads share, and
// the threads.
//
// Workers are tasks on TBB threads. Each takes ready commands and ranges of groups until there are
// none, spin-waits for more for a short time, and ends. A thread that waits for an event does the
// same work meanwhile. At most as many threads as the device has compute units work at a time.
#pragma once

#include "runtime/core/mutex.h"
#include "runtime/device/numa.h"
#include "runtime/execution/command.h"
#include "runtime/execution/reserved_units.h"

#include <atomic>
#include <cstddef>
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
};

class Executor {
 public:
  // If `cpus` is empty no thread is pinned. Otherwise workers are pinned to these processors, and
  // waiting threads, which are not, do not help.
  Executor(unsigned units, std::vector<int> cpus);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  unsigned units() const { return units_; }
  // The NUMA nodes of its threads.
  const numa::Parts& parts() const { return parts_; }
  // Adds a command whose dependencies are complete. With `wake` a worker is sure to take it; at
  // once, unless the command is brief.
  void push(Ref<Command> command, bool wake) noexcept;
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
  bool run_next(Queue* only, const Event* until, Ref<Queue>* spin_queue) noexcept;
  bool run_spin_queue(Ref<Queue>& spin_queue) noexcept;
  void run_counted(Ref<Event> event, const Event* until, Ref<Queue>* spin_queue) noexcept;
  void stop_spin_wait(Ref<Queue>& spin_queue) noexcept;
  void wake(unsigned count) noexcept;
  bool add_worker() noexcept;
  // With mutex_ held.
  Ref<Event> take(const Queue* only) noexcept;
  Ref<Event> take_from(ReadyList& list, const Queue* only) noexcept;
  SharedWork* join(const Queue* only) noexcept;
  void remove_shared(SharedWork** place) noexcept;

  const unsigned units_;
  const bool pinned_;
  const numa::Parts parts_;
  Mutex mutex_;
  ReadyList ready_;    // of the host
  ReadyList children_; // of kernels, the newest first
  unsigned children_in_a_row_ = 0;
  SharedWork* shared_ = nullptr; // oldest first
  std::atomic<int> pending_{0};  // ready commands and shared work
  // Threads that are working. Incremented with mutex_ held and only by a thread that has found
  // work, so that a thread that merely polls keeps no other from working.
  std::atomic<unsigned> busy_{0};
  std::atomic<unsigned> workers_{0};
  std::atomic<unsigned> in_callbacks_{0}; // workers that are in callbacks
  std::atomic<unsigned> idle_{0};         // workers that spin-wait for work
  std::unique_ptr<WorkerPool> threads_;
};

} // namespace heddle
