// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/auxiliary_threads.h"

#include "runtime/core/process.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace heddle::auxiliary_threads {
namespace {

using Function = void (*)(void*);

// How long an idle thread, which keeps its kernel stacks, waits for the next job.
constexpr std::chrono::milliseconds kIdleTimeout(500);

struct Job {
  Function function;
  void* argument;
};

// An idle thread; lives on that thread's stack.
struct IdleThread {
  std::condition_variable wake;
  Job job{};
  bool taken = false;
  IdleThread* next = nullptr;
};

// One per process: a forked child has none of its parent's threads, and the parent's lock may be
// held.
struct Pool {
  explicit Pool(unsigned generation) noexcept : fork_generation(generation) {}
  const unsigned fork_generation;
  std::mutex mutex;
  IdleThread* idle = nullptr; // most recent first: its caches are warm
  Pool* parents = nullptr;
};

// Never destroyed, because threads may still be idle when the process ends. Null when memory is
// exhausted.
Pool* pool() noexcept {
  static constinit std::atomic<Pool*> newest{nullptr};
  const auto generation = process::fork_generation();
  auto* known = newest.load(std::memory_order_acquire);
  if (known && known->fork_generation == generation)
    return known;
  std::unique_ptr<Pool> made(new (std::nothrow) Pool(generation));
  if (!made)
    return nullptr;
  made->parents = known;
  return newest.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)
             ? made.release()
             : known;
}

// False if no job arrives within kIdleTimeout.
bool wait(Pool& pool, Job& job) {
  IdleThread idle;
  std::unique_lock lock(pool.mutex);
  idle.next = pool.idle;
  pool.idle = &idle;
  if (!idle.wake.wait_for(lock, kIdleTimeout, [&] { return idle.taken; })) {
    auto** link = &pool.idle;
    while (*link != &idle)
      link = &(*link)->next;
    *link = idle.next;
    return false;
  }
  job = idle.job;
  return true;
}

void thread_main(Pool* pool, Job job) {
  do
    job.function(job.argument);
  while (wait(*pool, job));
}

} // namespace

bool start(Function function, void* argument) noexcept try {
  auto* threads = pool();
  if (!threads)
    return false;
  {
    const std::lock_guard lock(threads->mutex);
    if (auto* idle = threads->idle) {
      threads->idle = idle->next;
      idle->job = {function, argument};
      idle->taken = true;
      idle->wake
          .notify_one(); // with the lock held: *idle is destroyed once its thread has the lock
      return true;
    }
  }
  std::thread(thread_main, threads, Job{function, argument}).detach();
  return true;
} catch (const std::system_error&) {
  return false;
} catch (const std::bad_alloc&) {
  return false;
}

} // namespace heddle::auxiliary_threads
