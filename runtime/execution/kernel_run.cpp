// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/kernel_run.h"

#include "runtime/core/clock.h"
#include "runtime/execution/fault_guard.h"
#include "runtime/execution/reserved_units.h"
#include "runtime/target/instructions.h"

#include <algorithm>

namespace heddle {
namespace {

// As PreparedKernel::kSerialNanoseconds, where another thread already waits for work.
constexpr double kSerialNanosecondsBesideIdle = 5'000;
// A thread is woken for a share of the launch that takes at least this.
constexpr double kLeastShareNanoseconds = 4'000;
// A launch that turns out to take more than this in total is shared from then on.
constexpr std::uint64_t kMaxSerialNanoseconds = 100'000;
// The target time of one range of groups: small overhead per range, and threads finish together.
constexpr double kRangeNanoseconds = 30'000;
// Of brief launches, one of so many is measured.
constexpr unsigned kBriefPerMeasurement = 16;
// ... and is brief unless its first eighth takes more than this: 2.5 to 12 us.
constexpr std::uint64_t kMaxBriefCycles = 12'500;

thread_local constinit unsigned thread_launches = 0;

} // namespace

bool KernelRun::begin(const PreparedKernel& kernel, Executor& executor,
                      bool others_are_busy) noexcept {
  trial_ = kernel.trial;
  runner_.begin(kernel);
  const auto groups = kernel.groups;
  // One thread alone has no other reason to interrupt a launch.
  const bool may_stop = executor.units() > 1 || (gives_way_ && executor.has_priorities());
  std::uint64_t done = 0;
  if (kernel.is_sampled() && ++thread_launches % kBriefPerMeasurement != 0) {
    done = run_unmeasured(may_stop);
    if (done == groups)
      return true;
  }
  busy_nanoseconds_.store(0, std::memory_order_relaxed);
  const auto expected = kernel.expected_nanoseconds();
  const auto most_alone = others_are_busy       ? kRangeNanoseconds
                          : executor.has_idle() ? kSerialNanosecondsBesideIdle
                                                : PreparedKernel::kSerialNanoseconds;
  compares_ranges_ =
      trial_ &&
      PreparedKernel::swaps(kernel.variants[0]) == PreparedKernel::swaps(kernel.variants[1]) &&
      groups >= std::uint64_t{8} * executor.units() &&
      expected >= 4 * kRangeNanoseconds * executor.units();
  is_challenger_ = trial_ && !compares_ranges_ && trial_->next_launch_is_challenger(expected);
  if (!compares_ranges_ &&
      (groups <= 1 || executor.units() == 1 || kernel.replacement || expected < most_alone)) {
    done = run_serially(may_stop || kernel.replacement, done);
    if (done == groups)
      return true;
  }
  share(done, executor);
  return false;
}

void KernelRun::share(std::uint64_t done, Executor& executor) noexcept {
  const auto groups = kernel().groups;
  done_.store(done, std::memory_order_relaxed);
  const auto left = groups - done;
  const auto expected = kernel().expected_nanoseconds();
  const auto range = static_cast<std::uint64_t>(
      std::clamp(kRangeNanoseconds * static_cast<double>(groups) / expected, 1.0, 1e18));
  // At least a few ranges for each thread, for load balance.
  // Less than a sub-group of groups that run as one row would leave lanes idle.
  const auto size =
      std::max(std::min(range, std::max<std::uint64_t>(1, left / (4 * executor.units()))),
               std::min(kernel().groups_per_sub_group(),
                        std::max<std::uint64_t>(1, left / executor.units())));
  const auto ranges = (left - 1) / size + 1;
  ranges_.start(groups - left, groups, size, executor.parts());
  const auto units = reserved_units::rest(executor.units());
  const auto most = static_cast<unsigned>(std::min<std::uint64_t>(ranges, units));
  const auto shares = 1 + std::min(expected / kLeastShareNanoseconds, 1e9);
  threads_ = std::min(most, static_cast<unsigned>(shares));
  if (threads_ < most) {
    late_at_ = monotonic_nanoseconds() + kMaxSerialNanoseconds;
    wakes_if_late_ = &executor;
  }
  if (kernel().replacement)
    executor_ = &executor;
}

void KernelRun::begin_shared(const PreparedKernel& kernel, Executor& executor) noexcept {
  trial_ = kernel.trial;
  runner_.begin(kernel);
  const auto groups = kernel.groups;
  const auto size = std::max<std::uint64_t>(1, groups / (std::uint64_t{4} * executor.units()));
  ranges_.start(0, groups, size, executor.parts());
  threads_ =
      static_cast<unsigned>(std::min<std::uint64_t>((groups - 1) / size + 1, executor.units()));
}

bool KernelRun::take_part() noexcept {
  fault_guard::prepare_thread();
  GroupTimes times[2]; // by variant; with a replacement, of which only the first one's are known
  TrialRanges compared(compares_ranges_ ? trial_ : nullptr);
  participants_.fetch_add(1, std::memory_order_relaxed);
  bool is_replaced = false;
  auto start = measured_nanoseconds();
  for (std::uint64_t first, last;;) {
    if (gives_way_ && gives_way_->has_above(priority_)) {
      const auto before = measured_nanoseconds();
      gives_way_->run_above(priority_);
      start += measured_nanoseconds() - before;
    }
    if (leaves() || !ranges_.take(first, last, runner_.failed()))
      break;
    const bool challenger = is_challenger_ || compared.next_is_challenger();
    if (kernel().replacement && !is_replaced && kernel().has_newer()) {
      is_replaced = true;
      times[0].nanoseconds = measured_nanoseconds() - start;
      start += times[0].nanoseconds;
      if (executor_) // a unit may have been reserved until now
        executor_->wake_if_pending();
    }
    if (!runner_.failed())
      runner_.run(first, last,
                  kernel().replacement ? kernel().newest() : kernel().variants[challenger]);
    GroupTimes range{last - first, 0};
    if (compares_ranges_) {
      const auto now = measured_nanoseconds();
      range.nanoseconds = now - start;
      start = now;
      compared.add(challenger, range);
    }
    times[challenger || is_replaced].groups += range.groups;
    times[challenger || is_replaced].nanoseconds += range.nanoseconds;
    if (wakes_if_late_ && ranges_.has_more() && monotonic_nanoseconds() > late_at_ && !is_crowded())
      wakes_if_late_->wake_if_pending();
  }
  const auto done = times[0].groups + times[1].groups;
  if (done == 0)
    return false;
  if (!compares_ranges_)
    times[is_challenger_ || is_replaced].nanoseconds = measured_nanoseconds() - start;
  if (!runner_.failed())
    for (const bool challenger : {false, true})
      learn(times[challenger], challenger, 1);
  busy_nanoseconds_.fetch_add(times[is_challenger_].nanoseconds, std::memory_order_relaxed);
  const auto groups = kernel().groups;
  if (done_.fetch_add(done, std::memory_order_acq_rel) + done != groups)
    return false;
  compare_launch();
  return true;
}

void KernelRun::reset() noexcept {
  runner_.reset();
  done_.store(0, std::memory_order_relaxed);
  busy_nanoseconds_.store(0, std::memory_order_relaxed);
  compares_ranges_ = is_challenger_ = false;
  wakes_if_late_ = nullptr;
  executor_ = nullptr;
  participants_.store(0, std::memory_order_relaxed);
}

// Whether as many threads run groups as may while the replacement is built.
bool KernelRun::is_crowded() const noexcept {
  return executor_ &&
         participants_.load(std::memory_order_relaxed) >= reserved_units::rest(executor_->units());
}

// Whether the thread is to leave its processor to the build of the replacement; never the last one
// that runs groups.
bool KernelRun::leaves() noexcept {
  auto count = participants_.load(std::memory_order_relaxed);
  if (executor_)
    while (count > reserved_units::rest(executor_->units()))
      if (participants_.compare_exchange_weak(count, count - 1, std::memory_order_relaxed))
        return true;
  return false;
}

// Of this thread. What else runs on its processor must not decide between variants.
std::uint64_t KernelRun::measured_nanoseconds() const noexcept {
  return trial_ ? thread_nanoseconds() : monotonic_nanoseconds();
}

// Runs groups on this thread and returns how many: all, unless `may_stop` is set and the first
// ones take much longer than estimated.
std::uint64_t KernelRun::run_unmeasured(bool may_stop) noexcept {
  const auto groups = kernel().groups;
  std::uint64_t done = 0;
  if (groups > 1 && may_stop) {
    const auto start = cycle_count();
    done = std::max<std::uint64_t>(1, groups / 8);
    runner_.run(0, done, kernel().champion());
    if (runner_.failed())
      return groups;
    if (cycle_count() - start > kMaxBriefCycles)
      return done;
  }
  runner_.run(done, groups, kernel().champion());
  return groups;
}

// Runs the groups from number `begin` on this thread, and returns how many are done: all, unless
// `may_stop` is set and the first ones take longer than estimated. Updates the kernel's cost.
std::uint64_t KernelRun::run_serially(bool may_stop, std::uint64_t begin) noexcept {
  fault_guard::prepare_thread();
  const auto groups = kernel().groups;
  const auto& variant =
      kernel().replacement ? kernel().newest() : kernel().variants[is_challenger_];
  const bool is_replaced = kernel().replacement && &variant != &kernel().champion();
  const bool is_estimated = begin == 0 && kernel_cost::is_known(variant.function);
  const unsigned launches = kernel().is_sampled() ? kBriefPerMeasurement : 1;
  const auto start = measured_nanoseconds();
  auto done = begin;
  while (done < groups && !runner_.failed()) {
    const auto left = groups - done;
    // An eighth first if there is an estimate, otherwise doubling counts.
    const auto step = !may_stop ? left : is_estimated ? (done ? left : groups / 8) : done;
    const auto last = done + std::clamp<std::uint64_t>(step, 1, left);
    runner_.run(done, last, variant);
    done = last;
    const auto taken = measured_nanoseconds() - start;
    if (runner_.failed())
      return groups;
    const auto measured = done - begin;
    const auto all = static_cast<double>(taken) * static_cast<double>(groups);
    if (done == groups || all > static_cast<double>(kMaxSerialNanoseconds * measured)) {
      learn({measured, taken}, is_challenger_ || is_replaced, launches);
      busy_nanoseconds_.store(taken, std::memory_order_relaxed);
      break;
    }
  }
  if (done == groups)
    compare_launch();
  return done;
}

// Of a measurement that stands for `launches`.
void KernelRun::learn(const GroupTimes& times, bool challenger, unsigned launches) const noexcept {
  // The replacement's later launches learn.
  if (!challenger || !kernel().replacement)
    kernel_cost::learn(kernel().variants[challenger].function, times.nanoseconds,
                       times.groups * kernel().items_per_group);
  if (kernel().used_nanoseconds)
    kernel().used_nanoseconds->fetch_add(times.nanoseconds * launches, std::memory_order_relaxed);
}

// All groups have run, in one variant unless ranges were compared.
void KernelRun::compare_launch() noexcept {
  if (trial_ && !compares_ranges_ && !runner_.failed())
    trial_->add_launch(is_challenger_, kernel().groups * kernel().items_per_group,
                       {kernel().groups, busy_nanoseconds_.load(std::memory_order_relaxed)});
}

} // namespace heddle
