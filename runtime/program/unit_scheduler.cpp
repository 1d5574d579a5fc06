// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/unit_scheduler.h"

#include "runtime/device/platform.h"
#include "runtime/program/compiler_host.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>
#include <thread>
#include <vector>

namespace heddle::unit_scheduler {
namespace {

using State = UnitBuild::State;

// How long a fork or the exit of the process waits for builds that were told to stop. They look for
// it between passes, and the compiler's host makes them leave within about two seconds.
constexpr std::chrono::seconds kLongestStop{3};

unsigned most_threads() {
  auto* platform = Platform::get();
  return platform ? std::max(1u, platform->device().compute_units()) : 1;
}

void set_cancelled(UnitBuild& build, std::uint32_t value) {
  __atomic_store_n(&build.cancelled, value, __ATOMIC_RELAXED);
}

class Scheduler {
 public:
  // Never destroyed: threads may still build when the process exits.
  static Scheduler& get() {
    static Scheduler& scheduler = *new Scheduler;
    return scheduler;
  }

  void start(const BuildRef& build) noexcept {
    const std::lock_guard lock(mutex_);
    if (stopped_ || build->state != State::idle)
      return;
    try {
      queue_.push_back(build);
    } catch (const std::bad_alloc&) {
      return;
    }
    build->state = State::queued;
    add_thread();
  }

  void need(const BuildRef& build) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return build->state != State::running; });
    if (build->state == State::done)
      return;
    std::erase(queue_, build);
    build->state = State::running;
    needed_.push_back(build);
    lock.unlock();
    auto result = make(build);
    lock.lock();
    std::erase(needed_, build);
    finish(*build, std::move(result));
  }

  void abandon(const BuildRef& build) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase(queue_, build);
    set_cancelled(*build, 1);
  }

  void stop() noexcept {
    std::unique_lock lock(mutex_);
    stopped_ = true;
    queue_.clear();
    stop_running(lock);
  }

 private:
  Scheduler() {
    pthread_atfork([] { get().before_fork(); }, [] { get().after_fork(); },
                   [] { get().after_fork_in_child(); });
  }

  static UnitResult make(const BuildRef& build) noexcept {
    try {
      return make_unit(build);
    } catch (const std::exception&) { // out of memory
      return {};
    }
  }

  // With mutex_ held, as everything below.
  void finish(UnitBuild& build, UnitResult result) noexcept {
    build.unit = std::move(result.unit);
    build.log = std::move(result.log);
    build.state = State::done;
    changed_.notify_all();
  }

  // If it fails the builds are left to need().
  void add_thread() noexcept {
    if (threads_ >= std::min<std::size_t>(most_threads(), running_.size() + queue_.size()))
      return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // inherited
    try {
      std::thread([this] { work(); }).detach();
      ++threads_;
    } catch (const std::exception&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void work() noexcept {
    pthread_setname_np(pthread_self(), "heddle-units");
    // Destructors of the compiler's static objects run after this handler, which is registered
    // later.
    compiler_host::open();
    [[maybe_unused]] static const int registered = std::atexit([] { get().stop(); });
    std::unique_lock lock(mutex_);
    while (!stopped_ && !is_forking_ && !queue_.empty()) {
      auto build = queue_.front();
      queue_.erase(queue_.begin());
      build->state = State::running;
      running_.push_back(build);
      lock.unlock();
      auto result = make(build);
      lock.lock();
      std::erase(running_, build);
      if (is_forking_ && !result.unit) { // interrupted
        set_cancelled(*build, 0);
        build->state = State::queued;
        queue_.insert(queue_.begin(), build);
        changed_.notify_all();
      } else {
        finish(*build, std::move(result));
      }
      lock.unlock();
      build.reset(); // may unload the unit
      lock.lock();
    }
    --threads_;
  }

  void stop_running(std::unique_lock<std::mutex>& lock) noexcept {
    for (const auto& build : running_)
      set_cancelled(*build, 1);
    changed_.wait_for(lock, kLongestStop, [this] { return running_.empty(); });
  }

  // The mutex is held during the fork.
  void before_fork() noexcept {
    std::unique_lock lock(mutex_);
    is_forking_ = true;
    stop_running(lock);
    (void)lock.release();
  }
  void after_fork() noexcept {
    is_forking_ = false;
    for (std::size_t i = 0; i < queue_.size() && !stopped_; ++i)
      add_thread();
    mutex_.unlock();
    changed_.notify_all();
  }
  // None of the parent's threads exists here.
  void after_fork_in_child() noexcept {
    is_forking_ = false;
    threads_ = 0;
    for (auto* builds : {&running_, &needed_, &queue_})
      for (const auto& build : *builds) {
        build->state = State::idle;
        set_cancelled(*build, 0);
      }
    running_.clear();
    needed_.clear();
    queue_.clear();
    new (&changed_) std::condition_variable; // the old one may have had waiters
    mutex_.unlock();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<BuildRef> queue_;   // for the background, oldest first
  std::vector<BuildRef> running_; // in the background
  std::vector<BuildRef> needed_;  // running on threads that need them
  std::size_t threads_ = 0;
  bool stopped_ = false;
  bool is_forking_ = false;
};

} // namespace

void start(const BuildRef& build) noexcept { Scheduler::get().start(build); }
void need(const BuildRef& build) { Scheduler::get().need(build); }
void abandon(const BuildRef& build) noexcept { Scheduler::get().abandon(build); }

} // namespace heddle::unit_scheduler
