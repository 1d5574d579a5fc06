// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/unit_scheduler.h"

#include "runtime/core/clock.h"
#include "runtime/core/options.h"
#include "runtime/device/platform.h"
#include "runtime/execution/device_executor.h"
#include "runtime/execution/reserved_units.h"
#include "runtime/profile/profile.h"
#include "runtime/program/build_helper.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/compiler_library.h"
#include "runtime/trace/tasks.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <functional>
#include <iterator>
#include <mutex>
#include <new>
#include <optional>
#include <pthread.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace heddle::unit_scheduler {
namespace {

using State = UnitBuild::State;
using TimePoint = std::chrono::steady_clock::time_point;

// How long a fork or the exit of the process waits for builds that were told to stop. They look for
// it between passes, and at a fork the compiler's host makes them leave within about two seconds.
constexpr std::chrono::seconds kLongestStop{3};

// How long the exit of the process waits for a build without which launches have begun: at least,
// and at most, which is also how long where that was so in an earlier process, which did not wait
// long enough.
constexpr std::chrono::milliseconds kLeastLastBuild{50}, kLongestLastBuild{1000};
// In between, this part of the processor time that the launches have used. Builds that have not
// begun then are begun if it is more than the least.
constexpr std::uint64_t kUsedPerLastBuild = 4;
// What has not begun after this time of the exit would seldom end.
constexpr std::chrono::milliseconds kLastBegin{200};
constexpr std::uint64_t kLeastUsed = 5'000'000;
// Builds of released kernels that are kept for a helper: each keeps its program.
constexpr std::size_t kMaxForHelper = 64;

// How long builds in the background leave the compiler to the first build that a launch waits for.
// Most of what a first build takes is page faults of the compiler, and two builds at once wait for
// each other in the kernel.
constexpr std::chrono::milliseconds kFirstAlone{8};

// By urgency. Builds for comparison, and for launches that have stopped, leave the processors to
// kernels: a thread of niceness 19 takes 1.5 % from one of niceness 0. Those that will be faster
// for sure do not: of niceness 10 they took ten times as long beside launches that keep all
// processors busy.
constexpr int kNiceness[] = {0, 0, 19, 19};

// As docs/units.md calls them.
const char* unit_kind(const Specialization& specialization) {
  if (specialization.is_plain())
    return specialization.effort == Effort::little ? "quick" : "plain";
  return specialization.is_special() ? "own" : "generic";
}

UnitResult traced_unit(const BuildRef& build) {
  const trace::Task task(trace::Kind::build, build->kernel, true);
  const auto begin = monotonic_nanoseconds();
  auto made = make_unit(build);
  const auto time = static_cast<std::uint64_t>(made.processor_time.count());
  if (profile::is_on())
    profile::add_build(build->kernel, monotonic_nanoseconds() - begin, time,
                       time == 0 && made.unit);
  if (trace::records(trace::Kind::build))
    trace::add(
        trace::Kind::build, begin, monotonic_nanoseconds(), build->kernel,
        {1, time, time == 0 && made.unit, trace::number_of(unit_kind(build->specialization))},
        made.unit ? 0 : -1, true);
  return made;
}

unsigned most_threads() {
  auto* platform = Platform::get();
  return platform ? std::max(2u, platform->device().compute_units()) - 1 : 1;
}

void set_cancelled(UnitBuild& build, std::uint32_t value) {
  __atomic_store_n(&build.cancelled, value, __ATOMIC_RELAXED);
}

class Scheduler {
 public:
  // Never destroyed: threads may still build when the process exits.
  static Scheduler& get() noexcept {
    alignas(Scheduler) static std::byte place[sizeof(Scheduler)];
    static Scheduler& scheduler = *new (place) Scheduler;
    return scheduler;
  }

  void start(const BuildRef& build, Urgency urgency, std::chrono::milliseconds delay) noexcept {
    const std::lock_guard lock(mutex_);
    if (stopped_ || (urgency == Urgency::needed_soon && !options().BACKGROUND))
      return;
    if (build->state == State::queued && delay.count() == 0) {
      hasten(*find(build));
      return;
    }
    if (build->state != State::idle)
      return;
    const auto now = std::chrono::steady_clock::now();
    if (first_asked_ == TimePoint())
      first_asked_ = now;
    try {
      begun_.push_back({build, urgency});
    } catch (const std::bad_alloc&) {
      return;
    }
    if (delay.count() != 0)
      begun_.back().not_before = now + delay;
    build->state = State::queued;
    changed_.notify_all();
    add_thread(urgency);
  }

  void look_up(const BuildRef& build) {
    auto found = find_unit(*build);
    const std::lock_guard lock(mutex_);
    if (found.unit && build->state == State::idle)
      publish(*build, std::move(found));
  }

  void withdraw(const BuildRef& build) noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = find(build);
    if (entry == begun_.end() || entry->is_preferred || entry->is_handed)
      return;
    if (build->state == State::queued) {
      erase(entry);
      build->state = State::idle;
    } else if (is_running(*entry)) {
      entry->is_withdrawn = true;
      set_cancelled(*build, 1);
    }
  }

  void need(const BuildRef& build) {
    std::unique_lock lock(mutex_);
    if (build->state == State::running) {
      ++idle_;
      add_thread(Urgency::needed_soon);
      changed_.wait(lock, [&] { return build->state != State::running; });
      --idle_;
    }
    if (build->state == State::done)
      return;
    if (build->state == State::idle)
      begun_.push_back({build, Urgency::needed_soon});
    auto& entry = *find(build);
    begin(build);
    entry.is_background = false;
    lock.unlock();
    auto result = make(build);
    lock.lock();
    const bool has_memory = result.has_value();
    end(build, std::move(result));
    if (!has_memory)
      throw std::bad_alloc();
  }

  bool need_within(const BuildRef& build, std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    if (build->state == State::idle || build->state == State::queued) {
      if (stopped_)
        return true;
      if (build->state == State::queued)
        erase(find(build));
      begun_.insert(begun_.begin(), Entry{build, Urgency::needed_soon});
      build->state = State::queued;
      is_first_over_ = true; // a launch waits for another build
      changed_.notify_all();
      if (threads_of(Urgency::needed_soon) > most_threads_needed_soon())
        return false; // it would not be done in time, and delay the others
      if (!add_thread_anyway(Urgency::needed_soon))
        return true;
    }
    return changed_.wait_for(lock, time, [&] { return build->state == State::done; });
  }

  void prefer(const BuildRef& build, const Launches& launches) noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = find(build);
    if (entry == begun_.end())
      return;
    entry->launches = launches;
    if (build->state == State::running) {
      if (launches.reserves_processor || entry->urgency == Urgency::unlikely)
        reserve(*entry);
    } else if (entry->urgency == Urgency::unlikely) {
      need_soon(*entry);
    }
    if (launches.is_urgent)
      hasten(*entry);
    if (entry->is_preferred)
      return;
    // After those that were preferred before.
    const auto first_other = std::ranges::find_if(begun_, std::not_fn(&Entry::is_preferred));
    entry->is_preferred = true;
    if (build->state != State::queued)
      return;
    // A thread that waits has it from here on: an exit that comes now waits for it.
    if (launches.is_urgent && entry->urgency == Urgency::needed_soon &&
        std::ranges::count_if(begun_, &Entry::is_handed) < waiting_) {
      entry->is_handed = true;
      begin(build);
      changed_.notify_all();
    }
    std::rotate(first_other, entry, entry + 1);
  }

  bool waits_for_others(const BuildRef& build) noexcept {
    const std::lock_guard lock(mutex_);
    if (build->state == State::running || build->state == State::done)
      return false;
    const auto comes_first = [&](const Entry& entry) {
      return entry.build != build && entry.urgency == Urgency::needed_soon &&
             entry.not_before == TimePoint() && (entry.is_preferred || is_running(entry));
    };
    return static_cast<std::size_t>(std::ranges::count_if(begun_, comes_first)) >=
           most_threads_needed_soon();
  }

  // A running build without which launches have begun goes on, for the cache, and one that an exit
  // would begin is begun: programs that end or release the kernel before it is there would never
  // have it.
  void abandon(const BuildRef& build) noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = find(build);
    if (entry != begun_.end() && entry->is_preferred) {
      entry->launches.expected_until = TimePoint::max(); // it keeps its program
      if (build->state == State::queued && is_begun_at_exit(*entry))
        return need_soon(*entry);
      if (is_running(*entry))
        return;
      if (build->state == State::queued)
        keep_for_helper(*entry);
    }
    if (build->state == State::queued)
      erase(entry);
    set_cancelled(*build, 1);
  }

  void stop() noexcept {
    std::unique_lock lock(mutex_);
    if (!leave_to_helper(lock))
      wait_for_last(lock);
    stopped_ = true;
    compiler_host::leave_cancelled();
    stop_running(lock);
  }

 private:
  struct Entry {
    BuildRef build;
    Urgency urgency;
    bool is_background = true;
    bool is_preferred = false;
    bool is_withdrawn = false; // who needs it begins again
    bool is_handed = false;    // it runs as soon as a thread that waits has woken up
    bool has_reserved = false; // a compute unit
    Launches launches{};       // that have begun without it
    TimePoint not_before{};
  };

  static WantedBuild wanted(const Entry& entry) {
    const auto& launches = entry.launches;
    return {entry.build, static_cast<double>(launches.nanoseconds), launches.build_time};
  }

  Scheduler() noexcept {
    pthread_atfork([] { get().before_fork(); }, [] { get().after_fork(); },
                   [] { get().after_fork_in_child(); });
  }

  // Nothing if there is not enough memory.
  static std::optional<UnitResult> make(const BuildRef& build) noexcept {
    try {
      return traced_unit(build);
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }

  // With mutex_ held, as everything below.
  std::vector<Entry>::iterator find(const BuildRef& build) {
    return std::find_if(begun_.begin(), begun_.end(),
                        [&](const Entry& entry) { return entry.build == build; });
  }
  std::size_t& threads_of(Urgency urgency) { return threads_[static_cast<unsigned>(urgency)]; }
  bool is_running(const Entry& entry) const {
    return entry.is_background && entry.build->state == State::running;
  }

  void begin(const BuildRef& build) noexcept {
    build->state = State::running;
    build->begun_at.store(monotonic_nanoseconds(), std::memory_order_relaxed);
    auto& entry = *find(build);
    if (entry.launches.reserves_processor)
      reserve(entry);
  }

  void reserve(Entry& entry) noexcept {
    if (!std::exchange(entry.has_reserved, true))
      reserved_units::add();
  }

  void give_back(Entry& entry) noexcept {
    if (!std::exchange(entry.has_reserved, false))
      return;
    reserved_units::remove();
    wake_pending();
  }

  void erase(std::vector<Entry>::iterator entry) noexcept {
    give_back(*entry);
    begun_.erase(entry);
    if (may_begin() && may_begin_unlikely())
      add_thread(Urgency::unlikely);
  }

  // If it was unlikely.
  void need_soon(Entry& entry) noexcept {
    if (entry.urgency != Urgency::unlikely)
      return;
    entry.urgency = Urgency::needed_soon;
    changed_.notify_all();
    add_thread(Urgency::needed_soon);
  }

  // From now on it need not wait.
  void hasten(Entry& entry) noexcept {
    if (std::exchange(entry.not_before, TimePoint()) != TimePoint())
      changed_.notify_all();
  }

  void end(const BuildRef& build, std::optional<UnitResult> result) noexcept {
    erase(find(build));
    is_first_over_ = true;
    if (result)
      publish(*build, std::move(*result));
    else
      build->state = State::idle;
    changed_.notify_all();
  }

  static void publish(UnitBuild& build, UnitResult result) noexcept {
    build.unit = std::move(result.unit);
    build.is_replaced = result.is_replaced;
    build.processor_time = result.processor_time;
    build.log = std::move(result.log);
    build.state = State::done;
    build.ready.store(build.unit.get(), std::memory_order_release);
    if (build.unit)
      build.variant.store(&build.unit->variant(), std::memory_order_release);
    build.is_done.store(true, std::memory_order_release);
  }

  std::size_t most_threads_for(Urgency urgency) const {
    const auto builds = std::count_if(begun_.begin(), begun_.end(), [urgency](const Entry& entry) {
      return entry.urgency == urgency;
    });
    return std::min<std::size_t>(urgency == Urgency::needed_soon ? most_threads_needed_soon() : 1,
                                 static_cast<std::size_t>(builds));
  }
  // Threads of the program that wait leave their processors to builds.
  std::size_t most_threads_needed_soon() const { return most_threads() + idle_; }

  // If it fails the builds are left to need().
  void add_thread(Urgency urgency) noexcept {
    if (threads_of(urgency) < most_threads_for(urgency))
      (void)add_thread_anyway(urgency);
  }

  bool add_thread_anyway(Urgency urgency) noexcept {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // inherited
    bool is_added = false;
    try {
      std::thread([this, urgency] { work(urgency); }).detach();
      ++threads_of(urgency);
      is_added = true;
    } catch (const std::exception&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return is_added;
  }

  bool may_begin() const { return !stopped_ && !is_forking_; }
  // When the build may begin. A plain unit is what the first launch waits for.
  TimePoint begins_at(const Entry& entry) const {
    if (is_leaving_)
      return TimePoint();
    const bool is_alone = !is_first_over_ && !entry.build->specialization.is_plain();
    return std::max(entry.not_before, is_alone ? first_asked_ + kFirstAlone : TimePoint());
  }
  // Of builds without which launches have begun: what these gain most by.
  static bool comes_before(const Entry& entry, const Entry& other) {
    return gain(wanted(entry)) > gain(wanted(other));
  }
  bool is_wanted(const Entry& entry, Urgency urgency) const {
    return entry.urgency == urgency && entry.build->state == State::queued &&
           (!is_leaving_ || (is_begun_at_exit(entry) && may_begin_at_exit())) &&
           (urgency != Urgency::unlikely || may_begin_unlikely());
  }
  // When nothing that will be needed is left to build.
  bool may_begin_unlikely() const {
    return is_leaving_ || std::ranges::none_of(begun_, [](const Entry& entry) {
             return entry.urgency == Urgency::needed_soon || entry.urgency == Urgency::better;
           });
  }

  // The first build that waits for a thread, or null.
  BuildRef take(Urgency urgency) {
    for (auto& entry : begun_)
      if (entry.urgency == urgency && std::exchange(entry.is_handed, false))
        return entry.build;
    if (!may_begin())
      return nullptr;
    const auto now = std::chrono::steady_clock::now();
    const Entry* first = nullptr;
    for (auto& entry : begun_) {
      if (!is_wanted(entry, urgency) || begins_at(entry) > now)
        continue;
      if (urgency == Urgency::needed_soon && entry.launches.expected_until < now && !is_leaving_) {
        entry.urgency = Urgency::unlikely;
        if (may_begin_unlikely())
          add_thread(Urgency::unlikely);
        continue;
      }
      if (!first || (first->is_preferred && entry.is_preferred && comes_before(entry, *first)))
        first = &entry;
    }
    if (!first)
      return nullptr;
    auto build = first->build;
    begin(build);
    return build;
  }

  // As take(), but waits while no build may begin yet.
  BuildRef wait_and_take(std::unique_lock<std::mutex>& lock, Urgency urgency) {
    for (;;) {
      if (auto build = take(urgency))
        return build;
      if (!may_begin())
        return nullptr;
      auto first = TimePoint::max();
      for (const auto& entry : begun_)
        if (is_wanted(entry, urgency))
          first = std::min(first, begins_at(entry));
      if (first == TimePoint::max())
        return nullptr;
      const std::ptrdiff_t counts = urgency == Urgency::needed_soon ? 1 : 0;
      waiting_ += counts;
      changed_.wait_until(lock, first);
      waiting_ -= counts;
    }
  }

  void work(Urgency urgency) noexcept {
    pthread_setname_np(pthread_self(), "heddle-units");
    trace::name_thread("heddle-units");
    if (const int niceness = kNiceness[static_cast<unsigned>(urgency)])
      // Of this thread, and of those that it starts.
      setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);
    static std::once_flag registered;
    std::call_once(registered, [] { compiler_library::stop_at_exit([] { get().stop(); }); });
    std::unique_lock lock(mutex_);
    while (auto build = wait_and_take(lock, urgency)) {
      lock.unlock();
      auto result = make(build);
      lock.lock();
      if (is_forking_ && !(result && result->unit)) { // interrupted
        set_cancelled(*build, 0);
        build->state = State::queued;
        give_back(*find(build));
        changed_.notify_all();
      } else {
        if (find(build)->is_withdrawn && !(result && result->unit)) {
          set_cancelled(*build, 0);
          result.reset();
        }
        end(build, std::move(result));
      }
      lock.unlock();
      build.reset(); // may unload the unit
      lock.lock();
      if (urgency == Urgency::needed_soon && threads_of(urgency) > most_threads_needed_soon())
        break;
    }
    --threads_of(urgency);
  }

  // How long the exit of the process waits for the build, from its beginning.
  static std::chrono::nanoseconds last_time(const Entry& entry) {
    if (!entry.is_preferred)
      return {};
    const std::chrono::nanoseconds share(entry.launches.nanoseconds / kUsedPerLastBuild);
    return entry.launches.again
               ? std::chrono::nanoseconds(kLongestLastBuild)
               : std::clamp<std::chrono::nanoseconds>(share, kLeastLastBuild, kLongestLastBuild);
  }
  bool may_begin_at_exit() const {
    return std::chrono::steady_clock::now() < leaving_since_ + kLastBegin;
  }
  static bool is_begun_at_exit(const Entry& entry) {
    return entry.is_preferred && (entry.launches.again || entry.launches.nanoseconds > kLeastUsed);
  }

  // A build that nobody needs any more in this process, and launches of the next one will.
  void keep_for_helper(const Entry& entry) noexcept {
    // Programs that are built again and again leave the same ones.
    const auto known = std::ranges::find_if(for_helper_, [&](const WantedBuild& kept) {
      return has_same_result(*kept.build, *entry.build);
    });
    if (known != for_helper_.end()) {
      known->used = std::max(known->used, wanted(entry).used);
      return;
    }
    if (for_helper_.size() == kMaxForHelper || !build_helper::is_possible())
      return;
    try {
      for_helper_.push_back(wanted(entry));
    } catch (const std::bad_alloc&) {
      // The next process begins without it, too.
    }
  }

  // Those without which launches have begun are left to a helper, after a short time in which some
  // may end. False if there are none, or no helper.
  bool leave_to_helper(std::unique_lock<std::mutex>& lock) noexcept {
    const auto is_left = [](const Entry& entry) {
      return entry.is_preferred && entry.build->state != State::done;
    };
    if ((std::ranges::none_of(begun_, is_left) && for_helper_.empty()) ||
        !build_helper::is_possible())
      return false;
    is_leaving_ = true; // nothing begins
    leaving_since_ = TimePoint();
    changed_.wait_for(lock, kLeastLastBuild, [&] {
      return std::ranges::none_of(
          begun_, [&](const Entry& entry) { return entry.is_preferred && is_running(entry); });
    });
    try {
      auto left = for_helper_;
      for (const auto& entry : begun_)
        if (is_left(entry))
          left.push_back(wanted(entry));
      return left.empty() || build_helper::start(order_builds(
                                 std::move(left), options().QUICK == "auto", is_in_cache));
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  // For the builds without which launches have begun.
  void wait_for_last(std::unique_lock<std::mutex>& lock) noexcept {
    is_leaving_ = true;
    changed_.notify_all();
    const auto start = leaving_since_ = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < begun_.size(); ++i)
      if (begun_[i].build->state == State::queued && is_begun_at_exit(begun_[i]))
        add_thread(begun_[i].urgency);
    for (;;) {
      const auto taken = std::chrono::steady_clock::now() - start;
      std::chrono::nanoseconds most{};
      for (const auto& entry : begun_) {
        if (is_running(entry))
          most = std::max(most, last_time(entry));
        else if (entry.build->state == State::queued && is_begun_at_exit(entry))
          most = std::max<std::chrono::nanoseconds>(most, kLastBegin);
      }
      if (taken >= most)
        return;
      changed_.wait_for(lock, most - taken);
    }
  }

  void stop_running(std::unique_lock<std::mutex>& lock) noexcept {
    for (const auto& entry : begun_)
      if (is_running(entry))
        set_cancelled(*entry.build, 1);
    changed_.wait_for(lock, kLongestStop, [this] {
      return std::none_of(begun_.begin(), begun_.end(),
                          [this](const Entry& entry) { return is_running(entry); });
    });
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
    for (std::size_t i = 0; i < begun_.size() && !stopped_; ++i)
      add_thread(begun_[i].urgency);
    mutex_.unlock();
    changed_.notify_all();
  }
  // None of the parent's threads exists here.
  void after_fork_in_child() noexcept {
    is_forking_ = false;
    std::fill(std::begin(threads_), std::end(threads_), 0);
    for (const auto& entry : begun_) {
      entry.build->state = State::idle;
      set_cancelled(*entry.build, 0);
      if (entry.has_reserved)
        reserved_units::remove();
    }
    begun_.clear();
    for_helper_.clear();
    waiting_ = 0;
    idle_ = 0;
    new (&changed_) std::condition_variable; // the old one may have had waiters
    mutex_.unlock();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Entry> begun_; // queued and running ones, oldest first
  std::vector<WantedBuild> for_helper_;
  std::size_t threads_[4] = {}; // by urgency
  TimePoint first_asked_;       // for a build in the background
  std::ptrdiff_t waiting_ = 0;  // threads of needed_soon, in wait_and_take()
  std::size_t idle_ = 0;        // threads in need() that wait for another one's build
  bool is_first_over_ = false;  // something was built, or nothing is to have the compiler alone
  bool is_leaving_ = false;     // the process exits: only builds of is_begun_at_exit() begin
  TimePoint leaving_since_;
  bool stopped_ = false;
  bool is_forking_ = false;
};

} // namespace

void start(const BuildRef& build, Urgency urgency) noexcept {
  Scheduler::get().start(build, urgency, {});
}
void start_later(const BuildRef& build, std::chrono::milliseconds delay) noexcept {
  Scheduler::get().start(build, Urgency::needed_soon, delay);
}
void find(const BuildRef& build) { Scheduler::get().look_up(build); }
void withdraw(const BuildRef& build) noexcept { Scheduler::get().withdraw(build); }
void need(const BuildRef& build) { Scheduler::get().need(build); }
bool need_within(const BuildRef& build, std::chrono::milliseconds time) {
  return Scheduler::get().need_within(build, time);
}
bool waits_for_others(const BuildRef& build) noexcept {
  return Scheduler::get().waits_for_others(build);
}
void prefer(const BuildRef& build, const Launches& launches) noexcept {
  Scheduler::get().prefer(build, launches);
}
void abandon(const BuildRef& build) noexcept { Scheduler::get().abandon(build); }

} // namespace heddle::unit_scheduler
