// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/worker_pool.h"

#include "runtime/core/process.h"
#include "runtime/core/program_code.h"
#include "runtime/core/thread_sanitizer.h"
#include "runtime/device/thread_count.h"
#include "runtime/execution/auxiliary_threads.h"
#include "runtime/execution/executor.h"
#include "runtime/execution/queue_hints.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <sched.h>

namespace heddle {
namespace {

// Pins the arena's threads to the processors of a sub-device while they are in the arena.
class Pinning final : public oneapi::tbb::task_scheduler_observer {
 public:
  Pinning(oneapi::tbb::task_arena& arena, const std::vector<int>& cpus)
      : task_scheduler_observer(arena), cpus_(cpus) {
    ready_.store(true, std::memory_order_release);
    observe(true);
  }
  ~Pinning() override { observe(false); }
  void on_scheduler_entry(bool) override {
    (void)ready_.load(std::memory_order_acquire);
    sched_getaffinity(0, sizeof before_, &before_);
    pin_this_thread(cpus_);
  }
  void on_scheduler_exit(bool) override { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  const std::vector<int>& cpus_;
  // TBB orders the list's construction before its threads enter, but its library is not
  // instrumented; this makes the order visible to ThreadSanitizer.
  std::atomic<bool> ready_{false};
  static thread_local cpu_set_t before_; // of a thread while it is in the arena
};

thread_local cpu_set_t Pinning::before_;

// Allows TBB a thread for every unit of the root device, as many for sub-devices at the same time,
// and those of throttled queues. TBB counts the calling thread; Heddle's callers never enter an
// arena, so one more is allowed. Called once per process, and never lowers the limit: of several
// limits TBB takes the smallest, and they also apply to the host program's use of TBB.
void allow_threads() {
  using oneapi::tbb::global_control;
  // In static storage and never destroyed: threads may still work when the process ends.
  alignas(global_control) static std::byte place[sizeof(global_control)];
  static const bool once = [] {
    const auto now = global_control::active_value(global_control::max_allowed_parallelism);
    new (place) global_control(global_control::max_allowed_parallelism,
                               std::max<std::size_t>(now, 2 * std::size_t{thread_count()} +
                                                              throttled_units(thread_count()) + 1));
    return true;
  }();
  (void)once;
}

// After a failed start of TBB a second attempt may wait for the first one forever, so the process
// then uses no TBB.
std::atomic<bool> arenas_fail{false};

} // namespace

void pin_this_thread(const std::vector<int>& cpus) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const auto cpu : cpus)
    if (cpu < CPU_SETSIZE)
      CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

struct WorkerPool::Arena {
  oneapi::tbb::task_arena arena;
  std::unique_ptr<Pinning> pinning;

  Arena(unsigned threads, const std::vector<int>& cpus) : arena(static_cast<int>(threads), 0) {
    allow_threads();
    arena.initialize();
    if (!cpus.empty())
      pinning = std::make_unique<Pinning>(arena, cpus);
  }
};

WorkerPool::WorkerPool(Executor& executor, unsigned threads, std::vector<int> cpus)
    : executor_(executor), cpus_(std::move(cpus)) {
  if (process::is_forked_child() || arenas_fail.load(std::memory_order_relaxed))
    return;
  try {
    arena_ = std::make_unique<Arena>(threads, cpus_);
  } catch (const std::exception&) {
    arenas_fail.store(true, std::memory_order_relaxed);
  }
}

WorkerPool::~WorkerPool() {
  // An arena created before a fork cannot be destroyed in the child.
  if (process::is_forked_child())
    (void)arena_.release();
}

bool WorkerPool::start_worker(bool extra) noexcept try {
  if (extra || !arena_ || process::is_forked_child() || program_code::had_to_move())
    return start_auxiliary([](void* self) { static_cast<Executor*>(self)->run(); }, &executor_);
  // The sanitizer does not see that TBB orders the capture's construction before this.
  arena_->arena.enqueue([this]() HEDDLE_NO_THREAD_SANITIZER {
    const program_code::BorrowedThread borrowed;
    executor_.run();
  });
  return true;
} catch (const std::exception&) {
  return false;
}

bool WorkerPool::start_auxiliary(void (*function)(void*), void* argument) noexcept {
  if (cpus_.empty())
    return auxiliary_threads::start(function, argument);
  struct Pinned {
    const std::vector<int>& cpus; // of the executor, which the work keeps alive
    void (*function)(void*);
    void* argument;
  };
  auto* pinned = new (std::nothrow) Pinned{cpus_, function, argument};
  if (!pinned)
    return false;
  const auto run = [](void* value) {
    const std::unique_ptr<Pinned> job(static_cast<Pinned*>(value));
    cpu_set_t before;
    sched_getaffinity(0, sizeof before, &before);
    pin_this_thread(job->cpus);
    job->function(job->argument);
    sched_setaffinity(0, sizeof before, &before);
  };
  if (auxiliary_threads::start(run, pinned))
    return true;
  delete pinned;
  return false;
}

} // namespace heddle
