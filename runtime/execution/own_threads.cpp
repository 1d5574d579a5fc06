#include "runtime/execution/own_threads.h"

#include "runtime/core/process.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace heddle::own_threads {
namespace {

using Function = void (*)(void*);

// How long a thread without work stays, with its stacks for kernels, for the next.
constexpr std::chrono::milliseconds kStay(500);

struct Job {
  Function function;
  void* argument;
};

// A thread that stays lies in wait in one of these, on its own stack.
struct Place {
  std::condition_variable wake;
  Job job{};
  bool taken = false;
  Place* next = nullptr;
};

// One for each process: a forked child has none of its parent's threads, and its lock may be held.
struct Pool {
  explicit Pool(unsigned generation) noexcept : fork_generation(generation) {}
  const unsigned fork_generation;
  std::mutex mutex;
  Place* idle = nullptr; // the one that came last first: its caches are warm
  Pool* parents = nullptr;
};

// Never destroyed, because threads may still lie in wait when the process ends. Null when memory is
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

// False when no work has come for long.
bool wait(Pool& pool, Job& job) {
  Place place;
  std::unique_lock lock(pool.mutex);
  place.next = pool.idle;
  pool.idle = &place;
  if (!place.wake.wait_for(lock, kStay, [&] { return place.taken; })) {
    auto** link = &pool.idle;
    while (*link != &place)
      link = &(*link)->next;
    *link = place.next;
    return false;
  }
  job = place.job;
  return true;
}

void live(Pool* pool, Job job) {
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
    if (auto* place = threads->idle) {
      threads->idle = place->next;
      place->job = {function, argument};
      place->taken = true;
      place->wake.notify_one(); // with the lock held: the place is gone once its owner has it
      return true;
    }
  }
  std::thread(live, threads, Job{function, argument}).detach();
  return true;
} catch (const std::system_error&) {
  return false;
} catch (const std::bad_alloc&) {
  return false;
}

} // namespace heddle::own_threads
