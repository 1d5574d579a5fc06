// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/executor.h"

#include "runtime/core/clock.h"
#include "runtime/core/lock.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/scheduler.h"
#include "runtime/execution/worker_pool.h"
#include "runtime/target/instructions.h"
#include "runtime/trace/tasks.h"

namespace heddle {
namespace {

// How many ready commands a waiting thread examines for one of its own queue.
constexpr std::size_t kMaxPassedOver = 64;
// After this many children of kernels in a row a command of the host runs if one is ready.
constexpr unsigned kMaxChildrenInARow = 16;
// After so much work in a row before which some of a lower priority was left, that is run.
constexpr unsigned kMaxAboveInARow = 64;
// The number of brief commands that may wait for busy threads before another worker is woken.
constexpr int kMaxBriefPending = 64;
// Shorter pauses of a worker are not traced.
constexpr std::uint64_t kLeastTracedIdle = 1'000;
// How often idle workers look for commands that are left to the threads that have enqueued them.
constexpr std::uint64_t kLookNanoseconds = 1'000;

// The executor whose worker the calling thread is.
thread_local constinit const Executor* worker_of = nullptr;

Priority priority_of(const Queue& queue) noexcept { return queue.hints().priority; }

} // namespace

Executor::Executor(unsigned units, std::vector<int> cpus, std::uint64_t spin_nanoseconds)
    : units_(units), pinned_(!cpus.empty()), spin_nanoseconds_(spin_nanoseconds),
      parts_(cpus, units), threads_(std::make_unique<WorkerPool>(*this, units, std::move(cpus))) {}

Executor::~Executor() = default;

void Executor::push(Ref<Command> command, Taker taker) noexcept {
  const bool brief = command->is_brief();
  if (taker == Taker::caller && command->is_large())
    taker = Taker::any;
  const bool leaves = taker == Taker::caller || (taker == Taker::probably_caller && brief);
  int pending;
  {
    const Lock lock(mutex_);
    auto& own = level(priority_of(*command->queue()));
    // Has a scope, which a thread that terminates the context may be taking.
    if (command->kind() == Kind::device_event)
      own.children.push_front(std::move(command));
    else
      own.ready.push(std::move(command));
    add_pending(own, !leaves || pinned_);
    pending = pending_.load(std::memory_order_relaxed);
    pushes_.store(pushes_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  if ((taker == Taker::caller && !pinned_) || idle_.load(std::memory_order_seq_cst) != 0)
    return;
  // A busy worker takes it soon. If none does, a query of the command's status wakes a worker.
  if (brief && pending < kMaxBriefPending &&
      workers_.load(std::memory_order_seq_cst) > in_callbacks_.load(std::memory_order_seq_cst))
    return;
  wake(1);
}

void Executor::share(SharedWork& work, unsigned threads) noexcept {
  offer(work, threads);
  work.participate();
  withdraw(work);
}

void Executor::offer(SharedWork& work, unsigned threads) noexcept {
  {
    const Lock lock(mutex_);
    if (!work.is_listed_) {
      work.priority_ = priority_of(work.queue());
      auto& own = level(work.priority_);
      auto** end = &own.shared;
      while (*end)
        end = &(*end)->next_;
      *end = &work;
      work.next_ = nullptr;
      work.is_listed_ = true;
      add_pending(own, true);
    }
  }
  const auto idle = idle_.load(std::memory_order_seq_cst);
  if (threads > idle)
    wake(threads - idle);
  scheduler::notify_sleepers();
}

void Executor::withdraw(SharedWork& work) noexcept {
  const Lock lock(mutex_);
  if (!work.is_listed_)
    return;
  auto& own = level(work.priority_);
  auto** place = &own.shared;
  while (*place != &work)
    place = &(*place)->next_;
  remove_shared(own, place);
}

unsigned Executor::share_with_auxiliary(SharedWork& work, unsigned threads) noexcept {
  const auto participate = [](void* argument) {
    auto* shared = static_cast<SharedWork*>(argument);
    shared->participate();
    shared->release_work();
    scheduler::run_callbacks();
  };
  unsigned started = 0;
  for (; started < threads; ++started) {
    work.retain_work();
    if (!threads_->start_auxiliary(participate, &work)) {
      work.release_work();
      break;
    }
  }
  return started;
}

void Executor::remove_shared(Level& level, SharedWork** place) noexcept {
  (*place)->is_listed_ = false;
  *place = (*place)->next_;
  remove_pending(level);
}

void Executor::add_pending(Level& level, bool is_urgent) noexcept {
  if (is_urgent)
    set_urgent(true);
  level.pending.fetch_add(1, std::memory_order_relaxed);
  pending_.fetch_add(1, std::memory_order_seq_cst);
}

void Executor::remove_pending(Level& level) noexcept {
  level.pending.fetch_sub(1, std::memory_order_relaxed);
  if (pending_.fetch_sub(1, std::memory_order_relaxed) == 1)
    set_urgent(false);
}

// The newest child first: a kernel that divides its work among children goes deep before it goes
// wide, so that few commands wait and their data are still in the caches.
Ref<Event> Executor::take(Level& level, const Queue* only) noexcept {
  const auto take_from = [only](ReadyList& list) {
    return only ? list.pop_of(*only, kMaxPassedOver) : list.pop();
  };
  Ref<Event> event;
  if (level.children_in_a_row < kMaxChildrenInARow) {
    event = take_from(level.children);
    level.children_in_a_row = event ? level.children_in_a_row + 1 : 0;
  }
  if (!event) {
    event = take_from(level.ready);
    level.children_in_a_row = 0;
    if (!event)
      event = take_from(level.children);
  }
  if (event)
    remove_pending(level);
  return event;
}

SharedWork* Executor::join(Level& level, const Queue* only) noexcept {
  for (auto** place = &level.shared; *place;) {
    auto* work = *place;
    if (!work->has_more()) {
      remove_shared(level, place);
      continue;
    }
    if (!only || &work->queue() == only) {
      work->retain_work();
      return work;
    }
    place = &work->next_;
  }
  return nullptr;
}

Executor::Work Executor::find_at(Level& level, const Queue* only) noexcept {
  Work work;
  if (level.pending.load(std::memory_order_relaxed) == 0)
    return work;
  work.shared = join(level, only);
  if (!work.shared)
    work.event = take(level, only);
  return work;
}

// The highest priority first; of many, one begins below, at each of the others in turn.
Executor::Work Executor::find(const Queue* only) noexcept {
  unsigned first = 0;
  if (above_in_a_row_ >= kMaxAboveInARow) {
    above_in_a_row_ = 0;
    first = 1 + turns_++ % (kPriorities - 1);
  }
  for (unsigned i = 0; i < kPriorities; ++i) {
    const auto at = (first + i) % kPriorities;
    auto work = find_at(levels_[at], only);
    if (!work)
      continue;
    bool passes_over = false;
    for (auto below = at + 1; below < kPriorities; ++below)
      passes_over |= levels_[below].pending.load(std::memory_order_relaxed) != 0;
    above_in_a_row_ = passes_over ? above_in_a_row_ + 1 : 0;
    return work;
  }
  return {};
}

bool Executor::run_next(Queue* only, const Event* until, Ref<Queue>* spin_queue) noexcept {
  const bool may_resume = only && only->in_order() && only->has_incoming();
  if ((!may_resume && pending_.load(std::memory_order_acquire) == 0) || !has_free_unit())
    return false;
  ReadyList resumed;
  Work work;
  {
    const Lock lock(mutex_);
    if (!has_free_unit())
      return false;
    work = find(only);
    if (!work && may_resume) {
      only->resume(resumed);
      work.event = resumed.pop();
    }
    if (!work)
      return false;
    busy_.fetch_add(1, std::memory_order_seq_cst);
  }
  if (work.shared) {
    work.shared->participate();
    work.shared->release_work();
  }
  run_counted(std::move(work.event), until, spin_queue);
  return true;
}

// The thread is counted as busy, and stays so. A command is followed on its thread by none of
// another priority, so that the stack has at most one command of each.
void Executor::run_above(Priority priority) noexcept {
  for (unsigned count = 0; count < kMaxAboveInARow && has_above(priority); ++count) {
    Work work;
    {
      const Lock lock(mutex_);
      for (unsigned i = 0; i < static_cast<unsigned>(priority) && !work; ++i)
        work = find_at(levels_[i], nullptr);
    }
    if (!work)
      return;
    if (work.shared) {
      work.shared->participate();
      work.shared->release_work();
    } else {
      scheduler::run(Ref<Command>::adopt(static_cast<Command*>(work.event.leak())), *this, nullptr,
                     nullptr);
    }
    if (scheduler::has_callbacks()) {
      begin_callbacks();
      scheduler::run_callbacks();
      end_callbacks();
    }
  }
}

// Runs the event's command and the thread's callbacks; the thread is counted as busy and is not
// afterwards.
void Executor::run_counted(Ref<Event> event, const Event* until, Ref<Queue>* spin_queue) noexcept {
  if (event)
    scheduler::run(Ref<Command>::adopt(static_cast<Command*>(event.leak())), *this, until,
                   spin_queue);
  if (scheduler::has_callbacks()) {
    if (spin_queue && *spin_queue)
      stop_spin_wait(*spin_queue);
    begin_callbacks();
    scheduler::run_callbacks();
    end_callbacks();
  }
  busy_.fetch_sub(1, std::memory_order_seq_cst);
}

// Resumes the queue that the worker spin-waits on if it has new commands. False if the worker is to
// stop spin-waiting on it.
bool Executor::run_spin_queue(Ref<Queue>& spin_queue) noexcept {
  ReadyList resumed;
  Ref<Event> event;
  {
    const Lock lock(mutex_);
    if (!has_free_unit())
      return false;
    spin_queue->resume(resumed);
    event = resumed.pop();
    if (!event)
      return false;
    busy_.fetch_add(1, std::memory_order_seq_cst);
  }
  spin_queue = nullptr;
  run_counted(std::move(event), nullptr, &spin_queue);
  return true;
}

void Executor::stop_spin_wait(Ref<Queue>& spin_queue) noexcept {
  ReadyList ready;
  spin_queue->stop_spin_wait(ready);
  spin_queue = nullptr;
  if (!ready.empty())
    scheduler::submit(ready, Taker::any);
}

bool Executor::help(Queue& queue, const Event& event) noexcept {
  if (pinned_ || !run_next(&queue, &event, nullptr))
    return false;
  // Other pending work must not wait for this thread to return.
  wake_if_pending();
  return true;
}

void Executor::wake_if_pending() noexcept {
  if (pending_.load(std::memory_order_seq_cst) != 0 && idle_.load(std::memory_order_seq_cst) == 0)
    wake(1);
}

void Executor::begin_callbacks() noexcept {
  if (worker_of == this)
    in_callbacks_.fetch_add(1, std::memory_order_seq_cst);
  busy_.fetch_sub(1, std::memory_order_seq_cst);
  wake_if_pending();
}

void Executor::end_callbacks() noexcept {
  busy_.fetch_add(1, std::memory_order_seq_cst);
  if (worker_of == this)
    in_callbacks_.fetch_sub(1, std::memory_order_seq_cst);
}

// Spin-waits for work, and for commands of `queue` (may be null), until there is some or there was
// none for anybody for a while. What is left to the threads that have enqueued it is looked for
// rarely and taken when it is seen twice: these threads keep the cache lines, and many commands are
// taken at once.
Executor::Found Executor::spin(const Queue* queue) const noexcept {
  const auto spin_nanoseconds = queue ? queue->hints().spin_nanoseconds() : spin_nanoseconds_;
  auto now = monotonic_nanoseconds();
  auto last_push = now;
  auto last_look = now;
  auto pushes = pushes_.load(std::memory_order_relaxed);
  bool was_pending = false;
  bool had_incoming = false;
  for (; now - last_push < spin_nanoseconds; now = monotonic_nanoseconds()) {
    for (int i = 0; i < 16; ++i) {
      spin_pause();
      if (is_urgent_.load(std::memory_order_relaxed) && may_find())
        return Found::work;
    }
    if (now - last_look < kLookNanoseconds)
      continue;
    last_look = now;
    const bool is_pending = may_find();
    if (is_pending && was_pending)
      return Found::work;
    was_pending = is_pending;
    if (queue) {
      const bool has_incoming = queue->has_incoming();
      if (queue->is_released() || (has_incoming && (had_incoming || queue->has_urgent())))
        return Found::incoming;
      had_incoming = has_incoming;
    }
    if (const auto count = pushes_.load(std::memory_order_relaxed); count != pushes) {
      pushes = count;
      last_push = now;
    }
  }
  return Found::nothing;
}

void Executor::run() noexcept {
  trace::name_thread("heddle-worker");
  worker_of = this;
  Ref<Queue> spin_queue;
  for (;;) {
    // Acquire: the first read of a new worker must see the work that started it.
    if (pending_.load(std::memory_order_acquire) != 0) {
      if (spin_queue)
        stop_spin_wait(spin_queue);
      if (run_next(nullptr, nullptr, &spin_queue))
        continue;
    }
    idle_.fetch_add(1, std::memory_order_seq_cst);
    const auto since = monotonic_nanoseconds();
    const auto found = spin(spin_queue.get());
    const bool incoming = found == Found::incoming;
    idle_.fetch_sub(1, std::memory_order_seq_cst);
    if (trace::records(trace::Kind::idle))
      if (const auto now = monotonic_nanoseconds(); now - since >= kLeastTracedIdle)
        trace::add(trace::Kind::idle, since, now, {}, {});
    if (spin_queue && (!incoming || spin_queue->is_released() || !run_spin_queue(spin_queue)) &&
        spin_queue)
      stop_spin_wait(spin_queue);
    else if (incoming)
      continue;
    if (found == Found::work || pending_.load(std::memory_order_seq_cst) != 0) {
      // Work that all units already run, or that only a waiting thread may take, is no reason to
      // continue.
      if (found == Found::work ||
          busy_.load(std::memory_order_seq_cst) < reserved_units::rest(units_))
        continue;
    }
    workers_.fetch_sub(1, std::memory_order_seq_cst);
    // Work may have been added between the last read and the decrement, by a thread that still
    // counted this worker. If all units are busy, the next one to become idle reads again.
    if (pending_.load(std::memory_order_seq_cst) == 0 ||
        busy_.load(std::memory_order_seq_cst) >= reserved_units::rest(units_) || !add_worker()) {
      worker_of = nullptr; // the thread returns to the pool
      return;
    }
  }
}

// Never exceeds the limit, even temporarily: a worker that ends would take that for another active
// worker.
bool Executor::add_worker() noexcept {
  auto workers = workers_.load(std::memory_order_seq_cst);
  do {
    if (workers >= units_ + in_callbacks_.load(std::memory_order_seq_cst))
      return false;
  } while (!workers_.compare_exchange_weak(workers, workers + 1, std::memory_order_seq_cst));
  return true;
}

void Executor::wake(unsigned count) noexcept {
  for (; count > 0 && add_worker(); --count) {
    // TBB's threads may all be blocked in callbacks.
    if (!threads_->start_worker(in_callbacks_.load(std::memory_order_seq_cst) != 0)) {
      workers_.fetch_sub(1, std::memory_order_seq_cst);
      return;
    }
  }
}

} // namespace heddle
