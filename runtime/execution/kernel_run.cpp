// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/kernel_run.h"

#include "runtime/checks/reports.h"
#include "runtime/core/clock.h"
#include "runtime/core/options.h"
#include "runtime/execution/describe_fault.h"
#include "runtime/execution/parent_kernel.h"
#include "runtime/execution/reserved_units.h"
#include "runtime/execution/worker_thread.h"
#include "runtime/target/instructions.h"
#include "runtime/trace/tasks.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <utility>

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

// An upper bound; sub-groups may cross rows.
std::uint64_t sub_groups_per_group(const abi::Launch& launch, std::uint64_t width) noexcept {
  const auto& size = launch.local_size;
  return (size[0] + width - 1) / width * size[1] * size[2];
}

} // namespace

bool KernelRun::begin(const PreparedKernel& kernel, Executor& executor,
                      bool others_are_busy) noexcept {
  kernel_ = &kernel;
  trial_ = kernel.trial;
  observe_begin(kernel);
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
  const auto groups = kernel_->groups;
  done_.store(done, std::memory_order_relaxed);
  const auto left = groups - done;
  const auto expected = kernel_->expected_nanoseconds();
  const auto range = static_cast<std::uint64_t>(
      std::clamp(kRangeNanoseconds * static_cast<double>(groups) / expected, 1.0, 1e18));
  // At least a few ranges for each thread, for load balance.
  // Less than a sub-group of groups that run as one row would leave lanes idle.
  const auto size =
      std::max(std::min(range, std::max<std::uint64_t>(1, left / (4 * executor.units()))),
               std::min(kernel_->groups_per_sub_group(),
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
  if (kernel_->replacement)
    executor_ = &executor;
}

void KernelRun::begin_shared(const PreparedKernel& kernel, Executor& executor) noexcept {
  kernel_ = &kernel;
  trial_ = kernel.trial;
  observe_begin(kernel);
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
    if (leaves() || !ranges_.take(first, last, failed()))
      break;
    const bool challenger = is_challenger_ || compared.next_is_challenger();
    if (kernel_->replacement && !is_replaced && kernel_->has_newer()) {
      is_replaced = true;
      times[0].nanoseconds = measured_nanoseconds() - start;
      start += times[0].nanoseconds;
      if (executor_) // a unit may have been reserved until now
        executor_->wake_if_pending();
    }
    if (!failed())
      run_groups(first, last,
                 kernel_->replacement ? kernel_->newest() : kernel_->variants[challenger]);
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
  if (!failed())
    for (const bool challenger : {false, true})
      learn(times[challenger], challenger, 1);
  busy_nanoseconds_.fetch_add(times[is_challenger_].nanoseconds, std::memory_order_relaxed);
  const auto groups = kernel_->groups;
  if (done_.fetch_add(done, std::memory_order_acq_rel) + done != groups)
    return false;
  compare_launch();
  return true;
}

cl_int KernelRun::result() noexcept {
  prints_.flush();
  auto* checks = kernel_->checks.get();
  if (checks)
    tell_findings(*checks);
  const auto status = error_.load(std::memory_order_acquire);
  observe_end(status);
  return status;
}

void KernelRun::observe_begin(const PreparedKernel& kernel) noexcept {
  if (kernel.profile.sums)
    begun_at_ = monotonic_nanoseconds();
  if (progress::is_on())
    progress_ = progress::begin(kernel.champion().metadata->name, kernel.groups);
}

// This thread has run the groups since `begin`.
void KernelRun::observe_groups(const KernelVariant& variant, std::uint64_t first,
                               std::uint64_t last, std::uint64_t begin,
                               const profile::Counts& before) noexcept {
  const auto& metadata = *variant.metadata;
  const bool is_plain = kernel_->replacement && &variant == &kernel_->champion();
  const auto now = monotonic_nanoseconds();
  if (trace::records(trace::Kind::groups))
    trace::add(trace::Kind::groups, begin, now, metadata.name,
               {first, last, metadata.vector_width, metadata.row_interleave, is_plain}, 0, true);
  if (kernel_->profile.sums) {
    const bool is_quick =
        kernel_->bridge && kernel_->bridge->load(std::memory_order_acquire) == &variant;
    auto counts = profile::read_counters();
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] -= before[i];
    profile::add_groups(kernel_->profile,
                        {is_plain   ? profile::Code::plain
                         : is_quick ? profile::Code::quick
                                    : profile::Code::optimized,
                         metadata.vector_width, metadata.row_interleave, metadata.remarks},
                        last - first, now - begin, counts);
  }
  if (progress_)
    progress::add_groups(*progress_, last - first);
}

void KernelRun::observe_end(cl_int status) noexcept {
  if (kernel_->profile.sums)
    profile::add_launch(kernel_->profile, begun_at_, monotonic_nanoseconds(), status < 0);
  if (progress::is_on())
    progress::end(std::exchange(progress_, nullptr));
}

// The command fails, and each finding is told.
void KernelRun::tell_findings(LaunchChecks& checks) noexcept {
  std::vector<checks::Finding> findings;
  try {
    findings = checks.take_findings(failed());
  } catch (const std::bad_alloc&) {
    return;
  }
  if (findings.empty())
    return;
  fail();
  for (const auto& finding : findings)
    tell(
        [&] {
          return "heddle: kernel '" + kernel_->champion().metadata->name +
                 "' failed: " + finding.text;
        },
        &finding);
}

void KernelRun::reset() noexcept {
  error_.store(CL_COMPLETE, std::memory_order_relaxed);
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
  const auto groups = kernel_->groups;
  std::uint64_t done = 0;
  if (groups > 1 && may_stop) {
    const auto start = cycle_count();
    done = std::max<std::uint64_t>(1, groups / 8);
    run_groups(0, done, kernel_->champion());
    if (failed())
      return groups;
    if (cycle_count() - start > kMaxBriefCycles)
      return done;
  }
  run_groups(done, groups, kernel_->champion());
  return groups;
}

// Runs the groups from number `begin` on this thread, and returns how many are done: all, unless
// `may_stop` is set and the first ones take longer than estimated. Updates the kernel's cost.
std::uint64_t KernelRun::run_serially(bool may_stop, std::uint64_t begin) noexcept {
  fault_guard::prepare_thread();
  const auto groups = kernel_->groups;
  const auto& variant =
      kernel_->replacement ? kernel_->newest() : kernel_->variants[is_challenger_];
  const bool is_replaced = kernel_->replacement && &variant != &kernel_->champion();
  const bool is_estimated = begin == 0 && kernel_cost::is_known(variant.function);
  const unsigned launches = kernel_->is_sampled() ? kBriefPerMeasurement : 1;
  const auto start = measured_nanoseconds();
  auto done = begin;
  while (done < groups && !failed()) {
    const auto left = groups - done;
    // An eighth first if there is an estimate, otherwise doubling counts.
    const auto step = !may_stop ? left : is_estimated ? (done ? left : groups / 8) : done;
    const auto last = done + std::clamp<std::uint64_t>(step, 1, left);
    run_groups(done, last, variant);
    done = last;
    const auto taken = measured_nanoseconds() - start;
    if (failed())
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
  if (!challenger || !kernel_->replacement)
    kernel_cost::learn(kernel_->variants[challenger].function, times.nanoseconds,
                       times.groups * kernel_->items_per_group);
  if (kernel_->used_nanoseconds)
    kernel_->used_nanoseconds->fetch_add(times.nanoseconds * launches, std::memory_order_relaxed);
}

// All groups have run, in one variant unless ranges were compared.
void KernelRun::compare_launch() noexcept {
  if (trial_ && !compares_ranges_ && !failed())
    trial_->add_launch(is_challenger_, kernel_->groups * kernel_->items_per_group,
                       {kernel_->groups, busy_nanoseconds_.load(std::memory_order_relaxed)});
}

void KernelRun::run_groups(std::uint64_t first, std::uint64_t last,
                           const KernelVariant& variant) noexcept {
  if (!kernel_->replacement || !options().MIX)
    return run_in(variant, first, last);
  for (; first < last; ++first)
    run_in(first % 2 == 0 ? kernel_->champion() : kernel_->newest(), first, first + 1);
}

void KernelRun::run_in(const KernelVariant& variant, std::uint64_t first,
                       std::uint64_t last) noexcept {
  const auto& kernel = *kernel_;
  const auto* termination = kernel.context->termination();
  if (termination && termination->is_terminated.load(std::memory_order_relaxed)) {
    fail(CL_CONTEXT_TERMINATED_KHR);
    return;
  }
  auto* thread = WorkerThread::current();
  const auto& metadata = *variant.metadata;
  abi::Launch with_arguments;
  if (arguments_) {
    with_arguments = kernel.launch_of(variant);
    with_arguments.args = arguments_;
  }
  const auto& launch = arguments_ ? with_arguments : kernel.launch_of(variant);
  const bool has_frames = metadata.has_barrier || metadata.frame_bytes != 0;
  const auto sub_groups = has_frames ? sub_groups_per_group(launch, metadata.vector_width) : 1;
  const auto local_bytes = kernel.local_bytes;
  if (!thread || !thread->prepare(metadata, sub_groups, local_bytes)) {
    if (fail())
      tell([&] {
        return "heddle: kernel '" + metadata.name +
               "' needs more stack or local memory than the system provides (" +
               std::to_string(metadata.stack_bytes + metadata.frame_bytes) +
               " bytes per sub-group, " + std::to_string(sub_groups) + " sub-groups per group)";
      });
    return;
  }
  const bool is_observed = kernel.profile.sums || progress_ || trace::records(trace::Kind::groups);
  const auto observed_from = first;
  const trace::Task task(trace::Kind::groups, metadata.name, true);
  const auto begin = is_observed ? monotonic_nanoseconds() : 0;
  const auto counts = kernel.profile.sums ? profile::begin_groups() : profile::Counts{};
  // Other groups of the launch may have run in the order of the API's dimensions.
  const bool reorders = kernel.replacement && PreparedKernel::swaps(variant);
  // Each group's local memory is zero only where groups run one by one.
  const auto step = kernel.zeroes_local || reorders ? 1 : last - first;
  for (; first < last && !failed(); first += step) {
    if (kernel.zeroes_local)
      std::memset(thread->position().local_memory, 0, local_bytes);
    Fault fault;
    const auto group = reorders ? kernel.with_swapped_order(first) : first;
    const bool done =
        thread->run(variant.function, launch, group, group + step, prints_, kernel.checks.get(),
                    termination ? &termination->is_terminated : nullptr, fault);
    release_children(thread->after_groups(), !done);
    if (!done && fault.is_stopped)
      fail(CL_CONTEXT_TERMINATED_KHR);
    else if (!done && fail())
      tell([&] { return describe_fault(fault, *thread, metadata, launch, *kernel.context); },
           fault.finding ? &*fault.finding : nullptr);
    if (!done && kernel.kernels)
      kernel.kernels->unlock_static_objects();
  }
  if (is_observed)
    observe_groups(variant, observed_from, first, begin, counts);
  if (termination && termination->is_terminated.load(std::memory_order_relaxed))
    fail(CL_CONTEXT_TERMINATED_KHR); // groups may have been left out
}

// True for the first failure, which is the reported one.
bool KernelRun::fail(cl_int error) noexcept {
  cl_int expected = CL_COMPLETE;
  return error_.compare_exchange_strong(expected, error);
}

// `message`, a callable std::string(), may throw std::bad_alloc. `finding` is null if no check has
// failed.
template <class Message>
void KernelRun::tell(Message message, const checks::Finding* finding) noexcept {
  std::string text;
  try {
    text = message();
  } catch (const std::bad_alloc&) {
    std::fputs("heddle: a kernel failed, and there is no memory to say how\n", stderr);
    return;
  }
  if (finding != nullptr)
    checks::report(*finding, text);
  else
    std::fprintf(stderr, "%s\n", text.c_str());
  kernel_->context->report(text);
}

} // namespace heddle
