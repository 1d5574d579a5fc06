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
// How many ready commands a waiting thread passes over in search of one of its own queue.
constexpr std::size_t kMostPassedOver = 64;

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
  const auto most =
      only ? std::min(ready_.size(), kMostPassedOver) : std::min<std::size_t>(ready_.size(), 1);
  for (std::size_t i = 0; i < most; ++i) {
    if (only && ready_[i]->queue() != only)
      continue;
    auto command = std::move(ready_[i]);
    ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(i));
    pending_.fetch_sub(1, std::memory_order_relaxed);
    return command;
  }
  return nullptr;
}

SharedWork* Executor::join(const Queue* only) noexcept {
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
  if (pending_.load(std::memory_order_acquire) == 0 ||
      busy_.load(std::memory_order_relaxed) >= units_)
    return false;
  SharedWork* work;
  Ref<Command> command;
  {
    const std::lock_guard lock(mutex_);
    if (busy_.load(std::memory_order_relaxed) >= units_)
      return false;
    work = join(only);
    if (!work)
      command = take(only);
    if (!work && !command)
      return false;
    busy_.fetch_add(1, std::memory_order_seq_cst);
  }
  if (work) {
    work->take_part();
    work->release_work();
  } else {
    scheduler::run(std::move(command), *this, until);
  }
  busy_.fetch_sub(1, std::memory_order_seq_cst);
  if (scheduler::has_callbacks()) {
    offer(); // they may block, and this thread look for more work late
    scheduler::run_callbacks();
  }
  return true;
}

bool Executor::help(const Queue& queue, const Event& event) noexcept {
  if (pinned_ || !step(&queue, &event))
    return false;
  // What this thread kept others from taking, or has left, must not wait for it to come back.
  offer();
  return true;
}

void Executor::offer() noexcept {
  if (pending_.load(std::memory_order_seq_cst) != 0 && idle_.load(std::memory_order_seq_cst) == 0)
    wake(1);
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
    // Something may have come between the last look and the sign-off; whoever brought it still
    // counted this runner. If all units are busy, one that stops being so looks again.
    if (pending_.load(std::memory_order_seq_cst) == 0 ||
        busy_.load(std::memory_order_seq_cst) >= units_ || !add_runner())
      return;
  }
}

// Never counts beyond the limit, not even for a moment: a runner that signs off would take that for
// another one at work.
bool Executor::add_runner() noexcept {
  auto runners = runners_.load(std::memory_order_seq_cst);
  do {
    if (runners >= units_)
      return false;
  } while (!runners_.compare_exchange_weak(runners, runners + 1, std::memory_order_seq_cst));
  return true;
}

void Executor::wake(unsigned count) noexcept {
  for (; count > 0 && add_runner(); --count)
    threads_->start_one();
}

} // namespace heddle
