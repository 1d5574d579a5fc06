#include "runtime/execution/executor.h"

#include "runtime/core/clock.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/runners.h"
#include "runtime/execution/scheduler.h"

#include <immintrin.h>
#include <mutex>

namespace heddle {
namespace {

// How long a runner without work looks for more before it gives its thread back.
constexpr std::uint64_t kSpinNanoseconds = 50'000;
// How many ready commands a waiting thread passes over in search of one of its own queue.
constexpr std::size_t kMostPassedOver = 64;
// As many brief commands may wait for the threads that are at work before another one is woken.
constexpr int kMostBriefPending = 64;

// Whose runner the calling thread is.
thread_local constinit const Executor* runner_of = nullptr;

} // namespace

Executor::Executor(unsigned units, std::vector<int> cpus)
    : units_(units), pinned_(!cpus.empty()), parts_(cpus),
      threads_(std::make_unique<Runners>(*this, units, std::move(cpus))) {}

Executor::~Executor() = default;

void Executor::push(Ref<Command> command, bool wake_runner) noexcept {
  const bool brief = command->is_brief();
  int pending;
  {
    const std::lock_guard lock(mutex_);
    ready_.push(std::move(command));
    pending = pending_.fetch_add(1, std::memory_order_seq_cst) + 1;
  }
  if ((!wake_runner && !pinned_) || idle_.load(std::memory_order_seq_cst) != 0)
    return;
  // A thread at work comes back for it soon. Should it not, whoever asks how far the command is
  // offers it again.
  if (brief && pending < kMostBriefPending &&
      runners_.load(std::memory_order_seq_cst) > held_up_.load(std::memory_order_seq_cst))
    return;
  wake(1);
}

void Executor::share(SharedWork& work, unsigned threads) noexcept {
  {
    const std::lock_guard lock(mutex_);
    auto** end = &shared_;
    while (*end)
      end = &(*end)->next_;
    *end = &work;
    work.next_ = nullptr;
    work.is_listed_ = true;
    pending_.fetch_add(1, std::memory_order_seq_cst);
  }
  const auto idle = idle_.load(std::memory_order_seq_cst);
  if (threads > idle)
    wake(threads - idle);
  scheduler::notify_sleepers();
  work.take_part();
  const std::lock_guard lock(mutex_);
  if (!work.is_listed_)
    return;
  auto** place = &shared_;
  while (*place != &work)
    place = &(*place)->next_;
  remove_shared(place);
}

unsigned Executor::share_beside(SharedWork& work, unsigned threads) noexcept {
  const auto take_part = [](void* argument) {
    auto* shared = static_cast<SharedWork*>(argument);
    shared->take_part();
    shared->release_work();
    scheduler::run_callbacks();
  };
  unsigned started = 0;
  for (; started < threads; ++started) {
    work.retain_work();
    if (!threads_->start_beside(take_part, &work)) {
      work.release_work();
      break;
    }
  }
  return started;
}

void Executor::remove_shared(SharedWork** place) noexcept {
  (*place)->is_listed_ = false;
  *place = (*place)->next_;
  pending_.fetch_sub(1, std::memory_order_relaxed);
}

Ref<Event> Executor::take(const Queue* only) noexcept {
  auto event = only ? ready_.pop_of(*only, kMostPassedOver) : ready_.pop();
  if (event)
    pending_.fetch_sub(1, std::memory_order_relaxed);
  return event;
}

SharedWork* Executor::join(const Queue* only) noexcept {
  for (auto** place = &shared_; *place;) {
    auto* work = *place;
    if (!work->has_more()) {
      remove_shared(place);
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

bool Executor::step(Queue* only, const Event* until, Ref<Queue>* linger) noexcept {
  const bool may_resume = only && only->in_order() && only->has_incoming();
  if ((!may_resume && pending_.load(std::memory_order_acquire) == 0) ||
      busy_.load(std::memory_order_relaxed) >= units_)
    return false;
  SharedWork* work;
  ReadyList resumed;
  Ref<Event> event;
  {
    const std::lock_guard lock(mutex_);
    if (busy_.load(std::memory_order_relaxed) >= units_)
      return false;
    work = join(only);
    if (!work)
      event = take(only);
    if (!work && !event && may_resume) {
      only->resume(resumed);
      event = resumed.pop();
    }
    if (!work && !event)
      return false;
    busy_.fetch_add(1, std::memory_order_seq_cst);
  }
  if (work) {
    work->take_part();
    work->release_work();
  }
  run_begun(std::move(event), until, linger);
  return true;
}

// The rest of a step, with the thread counted as busy.
void Executor::run_begun(Ref<Event> event, const Event* until, Ref<Queue>* linger) noexcept {
  if (event)
    scheduler::run(Ref<Command>::adopt(static_cast<Command*>(event.leak())), *this, until, linger);
  if (scheduler::has_callbacks()) {
    if (linger && *linger)
      stop_lingering(*linger);
    leave();
    scheduler::run_callbacks();
    enter();
  }
  busy_.fetch_sub(1, std::memory_order_seq_cst);
}

// Goes on with the queue that the runner lingers with, if commands have come. False if it is to
// linger no more.
bool Executor::step_lingering(Ref<Queue>& linger) noexcept {
  ReadyList resumed;
  Ref<Event> event;
  {
    const std::lock_guard lock(mutex_);
    if (busy_.load(std::memory_order_relaxed) >= units_)
      return false;
    linger->resume(resumed);
    event = resumed.pop();
    if (!event)
      return false;
    busy_.fetch_add(1, std::memory_order_seq_cst);
  }
  linger = nullptr;
  run_begun(std::move(event), nullptr, &linger);
  return true;
}

void Executor::stop_lingering(Ref<Queue>& linger) noexcept {
  ReadyList ready;
  linger->stop_lingering(ready);
  linger = nullptr;
  if (!ready.empty())
    scheduler::submit(ready, false);
}

bool Executor::help(Queue& queue, const Event& event) noexcept {
  if (pinned_ || !step(&queue, &event, nullptr))
    return false;
  // What this thread kept others from taking, or has left, must not wait for it to come back.
  offer();
  return true;
}

void Executor::offer() noexcept {
  if (pending_.load(std::memory_order_seq_cst) != 0 && idle_.load(std::memory_order_seq_cst) == 0)
    wake(1);
}

void Executor::leave() noexcept {
  if (runner_of == this)
    held_up_.fetch_add(1, std::memory_order_seq_cst);
  busy_.fetch_sub(1, std::memory_order_seq_cst);
  offer();
}

void Executor::enter() noexcept {
  busy_.fetch_add(1, std::memory_order_seq_cst);
  if (runner_of == this)
    held_up_.fetch_sub(1, std::memory_order_seq_cst);
}

void Executor::run() noexcept {
  runner_of = this;
  Ref<Queue> linger;
  for (;;) {
    // The first look of a new thread, which must see what made it.
    if (pending_.load(std::memory_order_acquire) != 0) {
      if (linger)
        stop_lingering(linger);
      if (step(nullptr, nullptr, &linger))
        continue;
    }
    idle_.fetch_add(1, std::memory_order_seq_cst);
    const auto since = monotonic_nanoseconds();
    bool found = false;
    bool incoming = false;
    while (!found && !incoming && monotonic_nanoseconds() - since < kSpinNanoseconds) {
      for (int i = 0; i < 16 && !found; ++i) {
        _mm_pause();
        found = pending_.load(std::memory_order_relaxed) != 0 &&
                busy_.load(std::memory_order_relaxed) < units_;
      }
      // Seldom, so that several commands come together and the queue's data stays with the thread
      // that enqueues.
      incoming = linger && (linger->has_incoming() || linger->is_released());
    }
    idle_.fetch_sub(1, std::memory_order_seq_cst);
    if (linger && (!incoming || linger->is_released() || !step_lingering(linger)) && linger)
      stop_lingering(linger);
    else if (incoming)
      continue;
    if (found || pending_.load(std::memory_order_seq_cst) != 0) {
      // Work that all units are busy with already, or that only a waiting thread may take, is no
      // reason to spin on.
      if (found || busy_.load(std::memory_order_seq_cst) < units_)
        continue;
    }
    runners_.fetch_sub(1, std::memory_order_seq_cst);
    // Something may have come between the last look and the sign-off; whoever brought it still
    // counted this runner. If all units are busy, one that stops being so looks again.
    if (pending_.load(std::memory_order_seq_cst) == 0 ||
        busy_.load(std::memory_order_seq_cst) >= units_ || !add_runner()) {
      runner_of = nullptr; // what the thread does next is not this executor's
      return;
    }
  }
}

// Never counts beyond the limit, not even for a moment: a runner that signs off would take that for
// another one at work.
bool Executor::add_runner() noexcept {
  auto runners = runners_.load(std::memory_order_seq_cst);
  do {
    if (runners >= units_ + held_up_.load(std::memory_order_seq_cst))
      return false;
  } while (!runners_.compare_exchange_weak(runners, runners + 1, std::memory_order_seq_cst));
  return true;
}

void Executor::wake(unsigned count) noexcept {
  for (; count > 0 && add_runner(); --count) {
    // TBB's threads may all be held up in callbacks.
    if (!threads_->start_one(held_up_.load(std::memory_order_seq_cst) != 0)) {
      runners_.fetch_sub(1, std::memory_order_seq_cst);
      return;
    }
  }
}

} // namespace heddle
