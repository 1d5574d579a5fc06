#include "runtime/execution/executor.h"

#include "runtime/core/clock.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/runners.h"
#include "runtime/execution/scheduler.h"

#include <algorithm>
#include <immintrin.h>

namespace heddle {
namespace {

// How long a runner without work looks for more before it gives its thread back.
constexpr std::uint64_t kSpinNanoseconds = 50'000;

} // namespace

Executor::Executor(unsigned units, std::vector<int> cpus)
    : units_(units), pinned_(!cpus.empty()),
      threads_(std::make_unique<Runners>(*this, units, std::move(cpus))) {}

Executor::~Executor() = default;

void Executor::push(Ref<Command> command, bool wake_runner) noexcept {
  {
    const std::lock_guard lock(mutex_);
    ready_.push_back(std::move(command));
    pending_.fetch_add(1, std::memory_order_seq_cst);
  }
  if ((wake_runner || pinned_) && idle_.load(std::memory_order_seq_cst) == 0)
    wake(1);
}

void Executor::share(SharedWork& work, unsigned threads) noexcept {
  {
    const std::lock_guard lock(mutex_);
    shared_.push_back(&work);
    pending_.fetch_add(1, std::memory_order_seq_cst);
  }
  const auto idle = idle_.load(std::memory_order_seq_cst);
  if (threads > idle)
    wake(threads - idle);
  scheduler::notify_sleepers();
  work.take_part();
  const std::lock_guard lock(mutex_);
  const auto place = std::find(shared_.begin(), shared_.end(), &work);
  if (place != shared_.end()) {
    shared_.erase(place);
    pending_.fetch_sub(1, std::memory_order_relaxed);
  }
}

Ref<Command> Executor::take(const Queue* only) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto place = ready_.begin(); place != ready_.end(); ++place) {
    if (only && (*place)->queue() != only)
      continue;
    auto command = std::move(*place);
    ready_.erase(place);
    pending_.fetch_sub(1, std::memory_order_relaxed);
    return command;
  }
  return nullptr;
}

SharedWork* Executor::join(const Queue* only) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto place = shared_.begin(); place != shared_.end();) {
    auto* work = *place;
    if (!work->has_more()) {
      place = shared_.erase(place);
      pending_.fetch_sub(1, std::memory_order_relaxed);
      continue;
    }
    if (!only || &work->queue() == only) {
      work->retain_work();
      return work;
    }
    ++place;
  }
  return nullptr;
}

bool Executor::step(const Queue* only, const Event* until) noexcept {
  if (pending_.load(std::memory_order_acquire) == 0)
    return false;
  if (busy_.fetch_add(1, std::memory_order_acq_rel) >= units_) {
    busy_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  bool worked = false;
  if (auto* work = join(only)) {
    work->take_part();
    work->release_work();
    worked = true;
  } else if (auto command = take(only)) {
    scheduler::run(std::move(command), *this, until);
    worked = true;
  }
  leave();
  scheduler::run_callbacks();
  return worked;
}

bool Executor::help(const Queue& queue, const Event& event) noexcept {
  if (pinned_ || !step(&queue, &event))
    return false;
  // What this thread kept others from taking, or has left, must not wait for it to come back.
  if (pending_.load(std::memory_order_seq_cst) != 0 && idle_.load(std::memory_order_seq_cst) == 0)
    wake(1);
  return true;
}

void Executor::run() noexcept {
  for (;;) {
    if (step(nullptr, nullptr))
      continue;
    idle_.fetch_add(1, std::memory_order_seq_cst);
    const auto since = monotonic_nanoseconds();
    bool found = false;
    while (!found && monotonic_nanoseconds() - since < kSpinNanoseconds) {
      for (int i = 0; i < 16 && !found; ++i) {
        _mm_pause();
        found = pending_.load(std::memory_order_relaxed) != 0 &&
                busy_.load(std::memory_order_relaxed) < units_;
      }
    }
    idle_.fetch_sub(1, std::memory_order_seq_cst);
    if (found || pending_.load(std::memory_order_seq_cst) != 0) {
      // Work that all units are busy with already, or that only a waiting thread may take, is no
      // reason to spin on.
      if (found || busy_.load(std::memory_order_seq_cst) < units_)
        continue;
    }
    runners_.fetch_sub(1, std::memory_order_seq_cst);
    // Something may have come between the last look and the sign-off; whoever brought it saw this
    // runner.
    if (pending_.load(std::memory_order_seq_cst) == 0 ||
        busy_.load(std::memory_order_seq_cst) >= units_)
      return;
    if (runners_.fetch_add(1, std::memory_order_seq_cst) >= units_) {
      runners_.fetch_sub(1, std::memory_order_relaxed);
      return;
    }
  }
}

void Executor::wake(unsigned count) noexcept {
  for (; count > 0; --count) {
    if (runners_.fetch_add(1, std::memory_order_seq_cst) >= units_) {
      runners_.fetch_sub(1, std::memory_order_seq_cst);
      return;
    }
    threads_->start_one();
  }
}

} // namespace heddle
