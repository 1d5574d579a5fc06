// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command of clEnqueueNDRangeKernel: runs the groups in ranges, on the device's threads.
#include "runtime/core/clock.h"
#include "runtime/core/options.h"
#include "runtime/execution/command.h"
#include "runtime/execution/describe_fault.h"
#include "runtime/execution/executor.h"
#include "runtime/execution/kernel_cost.h"
#include "runtime/execution/parent_kernel.h"
#include "runtime/execution/print_buffer.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/scheduler.h"
#include "runtime/execution/shared_ranges.h"
#include "runtime/execution/work_group_size.h"
#include "runtime/execution/worker_thread.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

namespace heddle {
namespace {

// A launch with a smaller estimated time runs on one thread: waking another costs about as much.
// Less where another one already waits for work.
constexpr double kSerialNanoseconds = 8'000;
constexpr double kSerialNanosecondsBesideIdle = 5'000;
// A thread is woken for a share of the launch that takes at least this.
constexpr double kLeastShareNanoseconds = 4'000;
// A launch that turns out to take more than this in total is shared from then on.
constexpr std::uint64_t kMostSerialNanoseconds = 100'000;
// The target time of one range of groups: small overhead per range, and threads finish together.
constexpr double kRangeNanoseconds = 30'000;
// A launch known to take less wakes no thread, and its time is not measured each time.
constexpr double kBriefNanoseconds = 5'000;
constexpr unsigned kBriefPerMeasurement = 16;
// ... unless its first eighth takes more than this: 2.5 to 12 us.
constexpr std::uint64_t kMostBriefCycles = 12'500;

KernelFamily family_of(const KernelLaunch& launch) {
  if (!launch.variant.metadata->uses_device_queues)
    return {};
  return {launch.loaded.get(), launch.default_queue.get(), launch.checks.get()};
}

class KernelCommand final : public ParentKernel, public SharedWork {
 public:
  KernelCommand(Queue& queue, cl_command_type type, KernelLaunch&& launch)
      : KernelCommand(std::move(launch), queue, type, family_of(launch)) {}
  KernelCommand(ParentKernel& parent, KernelLaunch&& launch, bool has_event, bool profiling,
                DeviceQueue::Room room)
      : KernelCommand(std::move(launch), parent, has_event, profiling, std::move(room)) {}

 private:
  template <class... ForParent>
  explicit KernelCommand(KernelLaunch&& launch, ForParent&&... for_parent)
      : ParentKernel(std::forward<ForParent>(for_parent)...), loaded_(std::move(launch.loaded)),
        default_queue_(std::move(launch.default_queue)), arguments_(std::move(launch.arguments)),
        pipes_(std::move(launch.pipes)),
        checks_(std::move(launch.checks)), variants_{launch.variant, launch.challenger},
        trial_(launch.trial), replacement_(launch.replacement),
        used_nanoseconds_(launch.used_nanoseconds), zeroes_local_(launch.zeroes_local) {
    const auto& range = launch.range;
    abi_.args = arguments_->bytes();
    abi_.program_scope = launch.program_scope;
    abi_.work_dim = range.work_dim;
    const auto set_dimension = [&](int d) { // not a loop, of which GCC makes calls of memmove
      const auto global = range.global_size[d], local = range.local_size[d];
      const auto count = global == local ? 1 : (global - 1) / local + 1;
      abi_.global_size[d] = global;
      abi_.global_offset[d] = range.global_offset[d];
      abi_.local_size[d] = local;
      abi_.group_count[d] = count;
      groups_ *= count;
      items_per_group_ *= local;
    };
    set_dimension(0);
    set_dimension(1);
    set_dimension(2);
    abi_.runtime = static_cast<ParentKernel*>(this);
    abi::set_merging(abi_, range.local_size);
    abi_.arguments_overlap = launch.arguments_overlap ? 1 : 0;
    if (swaps(variants_[0]) || swaps(variants_[1]) || replacement_)
      swapped_ = abi::with_swapped_dimensions(abi_);
  }

 public:
  bool is_large() const noexcept override {
    return pipes_ || expected_nanoseconds() > kSerialNanoseconds;
  }
  bool is_brief() const noexcept override {
    return !pipes_ && kernel_cost::is_known(champion().function) &&
           expected_nanoseconds() < kBriefNanoseconds;
  }

  std::optional<cl_int> execute(Executor& executor) noexcept override {
    if (pipes_)
      return execute_beside(executor);
    std::uint64_t done = 0;
    if (is_sampled() && ++thread_launches % kBriefPerMeasurement != 0) {
      done = run_unmeasured(executor.units() > 1);
      if (done == groups_)
        return end(result());
    }
    const auto expected = expected_nanoseconds();
    compares_ranges_ = trial_ && swaps(variants_[0]) == swaps(variants_[1]) &&
                       groups_ >= std::uint64_t{8} * executor.units() &&
                       expected >= 4 * kRangeNanoseconds * executor.units();
    is_challenger_ = trial_ && !compares_ranges_ && trial_->next_launch_is_challenger(expected);
    if (!compares_ranges_ &&
        (groups_ <= 1 || executor.units() == 1 || replacement_ ||
         expected < (executor.has_idle() ? kSerialNanosecondsBesideIdle : kSerialNanoseconds))) {
      done = run_serially(executor.units() > 1 || replacement_, done);
      if (done == groups_)
        return end(result());
    }
    done_ = done;
    const auto left = groups_ - done;
    const auto range = static_cast<std::uint64_t>(std::clamp(
        kRangeNanoseconds * static_cast<double>(groups_) / expected_nanoseconds(), 1.0, 1e18));
    // At least a few ranges for each thread, for load balance.
    // Less than a sub-group of groups that run as one row would leave lanes idle.
    const auto size = std::max(
        std::min(range, std::max<std::uint64_t>(1, left / (4 * executor.units()))),
        std::min(groups_per_sub_group(), std::max<std::uint64_t>(1, left / executor.units())));
    const auto ranges = (left - 1) / size + 1;
    ranges_.start(groups_ - left, groups_, size, executor.parts());
    const auto most = static_cast<unsigned>(std::min<std::uint64_t>(ranges, executor.units()));
    const auto shares = 1 + std::min(expected_nanoseconds() / kLeastShareNanoseconds, 1e9);
    const auto threads = std::min(most, static_cast<unsigned>(shares));
    if (threads < most) {
      late_at_ = monotonic_nanoseconds() + kMostSerialNanoseconds;
      wakes_if_late_ = &executor;
    }
    retain(); // until finish_part() finds that all groups are done
    executor.share(*this, threads - 1);
    return std::nullopt;
  }

  bool has_more() const noexcept override { return ranges_.has_more(); }
  const Queue& queue() const noexcept override { return *Event::queue(); }
  void retain_work() noexcept override { retain(); }
  void release_work() noexcept override { release(); }

  void participate() noexcept override {
    GroupTimes times[2]; // by variant
    TrialRanges compared(compares_ranges_ ? trial_ : nullptr);
    auto start = measured_nanoseconds();
    for (std::uint64_t first, last; ranges_.take(first, last, failed());) {
      const bool challenger = is_challenger_ || compared.next_is_challenger();
      if (!failed())
        run_groups(first, last, replacement_ ? newest() : variants_[challenger]);
      GroupTimes range{last - first, 0};
      if (compares_ranges_) {
        const auto now = measured_nanoseconds();
        range.nanoseconds = now - start;
        start = now;
        compared.add(challenger, range);
      }
      times[challenger].groups += range.groups;
      times[challenger].nanoseconds += range.nanoseconds;
      if (wakes_if_late_ && ranges_.has_more() && monotonic_nanoseconds() > late_at_)
        wakes_if_late_->wake_if_pending();
    }
    const auto done = times[0].groups + times[1].groups;
    if (done == 0)
      return;
    if (!compares_ranges_)
      times[is_challenger_].nanoseconds = measured_nanoseconds() - start;
    if (!failed())
      for (const bool challenger : {false, true})
        learn(times[challenger], challenger, 1);
    busy_nanoseconds_.fetch_add(times[is_challenger_].nanoseconds, std::memory_order_relaxed);
    if (done_.fetch_add(done, std::memory_order_acq_rel) + done == groups_) {
      compare_launch();
      if (const auto status = end(result()))
        scheduler::finished(*this, *status);
      release();
    }
  }

 private:
  // A kernel with pipes may poll until another command has read or written. It must not occupy the
  // threads that this command needs, nor threads that wait for something else.
  std::optional<cl_int> execute_beside(Executor& executor) noexcept {
    pipes_->begin();
    const auto size = std::max<std::uint64_t>(1, groups_ / (std::uint64_t{4} * executor.units()));
    ranges_.start(0, groups_, size, executor.parts());
    retain(); // until participate() finds that all groups are done
    const auto threads = std::min<std::uint64_t>((groups_ - 1) / size + 1, executor.units());
    if (executor.share_with_auxiliary(*this, static_cast<unsigned>(threads)) == 0)
      participate();
    return std::nullopt;
  }

  // With a replacement: the variant that the next groups are to run in.
  const KernelVariant& newest() const noexcept {
    const auto* variant = replacement_->load(std::memory_order_acquire);
    if (!variant)
      return champion();
    const auto& metadata = *variant->metadata;
    const bool fits = metadata.local_bytes <= champion().metadata->local_bytes &&
                      items_per_group_ <= max_group_size(metadata) &&
                      (abi_.arguments_overlap == 0 || metadata.written_arguments.empty());
    return fits ? *variant : champion();
  }
  static bool swaps(const KernelVariant& variant) noexcept {
    return variant.metadata && variant.metadata->has_swapped_dimensions;
  }
  const KernelVariant& champion() const noexcept { return variants_[0]; }
  bool failed() const noexcept { return error_.load(std::memory_order_relaxed) != CL_COMPLETE; }

  // Of this thread. What else runs on its processor must not decide between variants.
  std::uint64_t measured_nanoseconds() const noexcept {
    return trial_ ? thread_nanoseconds() : monotonic_nanoseconds();
  }

  double expected_nanoseconds() const noexcept {
    return kernel_cost::per_item(champion().function) * static_cast<double>(groups_) *
           static_cast<double>(items_per_group_);
  }

  // How many groups have rows for a sub-group, if neighboring groups run as one.
  std::uint64_t groups_per_sub_group() const noexcept {
    const auto width = std::uint64_t{champion().metadata->vector_width};
    return (width - 1) / abi_.local_size[swaps(champion())] + 1;
  }

  // One launch of kBriefPerMeasurement is measured.
  bool is_sampled() const noexcept { return !trial_ && !replacement_ && is_brief(); }

  // Runs groups on this thread and returns how many: all, unless `may_stop` is set and the first
  // ones take much longer than estimated.
  std::uint64_t run_unmeasured(bool may_stop) noexcept {
    std::uint64_t done = 0;
    if (groups_ > 1 && may_stop) {
      const auto start = cycle_count();
      done = std::max<std::uint64_t>(1, groups_ / 8);
      run_groups(0, done, champion());
      if (failed())
        return groups_;
      if (cycle_count() - start > kMostBriefCycles)
        return done;
    }
    run_groups(done, groups_, champion());
    return groups_;
  }

  // Runs the groups from number `begin` on this thread, and returns how many are done: all, unless
  // `may_stop` is set and the first ones take longer than estimated. Updates the kernel's cost.
  std::uint64_t run_serially(bool may_stop, std::uint64_t begin) noexcept {
    const auto& variant = replacement_ ? newest() : variants_[is_challenger_];
    const bool is_estimated = begin == 0 && kernel_cost::is_known(variant.function);
    const unsigned launches = is_sampled() ? kBriefPerMeasurement : 1;
    const auto start = measured_nanoseconds();
    auto done = begin;
    while (done < groups_ && !failed()) {
      const auto left = groups_ - done;
      // An eighth first if there is an estimate, otherwise doubling counts.
      const auto step = !may_stop ? left : is_estimated ? (done ? left : groups_ / 8) : done;
      const auto last = done + std::clamp<std::uint64_t>(step, 1, left);
      run_groups(done, last, variant);
      done = last;
      const auto taken = measured_nanoseconds() - start;
      if (failed())
        return groups_;
      const auto measured = done - begin;
      const auto all = static_cast<double>(taken) * static_cast<double>(groups_);
      if (done == groups_ || all > static_cast<double>(kMostSerialNanoseconds * measured)) {
        learn({measured, taken}, is_challenger_, launches);
        busy_nanoseconds_.store(taken, std::memory_order_relaxed);
        break;
      }
    }
    if (done == groups_)
      compare_launch();
    return done;
  }

  // Of a measurement that stands for `launches`.
  void learn(const GroupTimes& times, bool challenger, unsigned launches) const noexcept {
    kernel_cost::learn(variants_[challenger].function, times.nanoseconds,
                       times.groups * items_per_group_);
    if (used_nanoseconds_)
      used_nanoseconds_->fetch_add(times.nanoseconds * launches, std::memory_order_relaxed);
  }

  // All groups have run, in one variant unless ranges were compared.
  void compare_launch() noexcept {
    if (trial_ && !compares_ranges_ && !failed())
      trial_->add_launch(is_challenger_, groups_ * items_per_group_,
                         {groups_, busy_nanoseconds_.load(std::memory_order_relaxed)});
  }

  cl_int result() noexcept {
    prints_.flush();
    if (checks_ && !failed() && checks_->has_uncommitted() && fail())
      tell([&] {
        return "heddle: kernel '" + champion().metadata->name +
               "' failed: " + checks_->uncommitted();
      });
    if (pipes_)
      pipes_->end();
    return error_.load(std::memory_order_acquire);
  }

  void run_groups(std::uint64_t first, std::uint64_t last, const KernelVariant& variant) noexcept {
    if (!replacement_ || !options().MIX)
      return run_in(variant, first, last);
    for (; first < last; ++first)
      run_in(first % 2 == 0 ? champion() : newest(), first, first + 1);
  }
  void run_in(const KernelVariant& variant, std::uint64_t first, std::uint64_t last) noexcept {
    auto* thread = WorkerThread::current();
    fault_guard::prepare_thread();
    const auto& metadata = *variant.metadata;
    const auto& launch = swaps(variant) ? swapped_ : abi_;
    const auto sub_groups = sub_groups_per_group(launch, metadata.vector_width);
    if (!thread || !thread->prepare(metadata, sub_groups, arguments_->local_bytes())) {
      if (fail())
        tell([&] {
          return "heddle: kernel '" + metadata.name +
                 "' needs more stack or local memory than the system provides (" +
                 std::to_string(metadata.stack_bytes + metadata.frame_bytes) +
                 " bytes per sub-group, " + std::to_string(sub_groups) + " sub-groups per group)";
        });
      return;
    }
    // Other groups of the launch may have run in the order of the API's dimensions.
    const bool reorders = replacement_ && swaps(variant);
    // Each group's local memory is zero only where groups run one by one.
    const auto step = zeroes_local_ || reorders ? 1 : last - first;
    for (; first < last && !failed(); first += step) {
      if (zeroes_local_)
        std::memset(thread->position().local_memory, 0, arguments_->local_bytes());
      Fault fault;
      const auto group = reorders ? with_swapped_order(first) : first;
      const bool done =
          thread->run(variant.function, launch, group, group + step, prints_, checks_.get(), fault);
      release_children(thread->after_groups(), !done);
      if (!done && fail())
        tell([&] { return describe_fault(fault, *thread, metadata, launch, context()); });
      if (const auto* kernels = loaded_ ? loaded_.get() : family().kernels; !done && kernels)
        kernels->unlock_static_objects();
    }
  }

  // The number, in the order of the swapped dimensions, of a group of that number.
  std::uint64_t with_swapped_order(std::uint64_t number) const noexcept {
    const auto [count_x, count_y, count_z] = abi_.group_count;
    const auto row = number / count_x;
    return (row / count_y * count_x + number % count_x) * count_y + row % count_y;
  }

  // True for the first failure, which is the reported one.
  bool fail() noexcept {
    cl_int expected = CL_COMPLETE;
    return error_.compare_exchange_strong(expected, CL_OUT_OF_RESOURCES);
  }

  // `message`, a callable std::string(), may throw std::bad_alloc.
  template <class Message>
  void tell(Message message) noexcept {
    std::string text;
    try {
      text = message();
    } catch (const std::bad_alloc&) {
      std::fputs("heddle: a kernel failed, and there is no memory to say how\n", stderr);
      return;
    }
    std::fprintf(stderr, "%s\n", text.c_str());
    context().report(text);
  }

  // An upper bound; sub-groups may cross rows.
  static std::uint64_t sub_groups_per_group(const abi::Launch& launch,
                                            std::uint64_t width) noexcept {
    const auto& size = launch.local_size;
    return (size[0] + width - 1) / width * size[1] * size[2];
  }

  static thread_local constinit unsigned thread_launches;

  const Ref<KernelTable> loaded_;              // null for children
  const ParentRef<DeviceQueue> default_queue_; // null for children
  const Ref<ArgumentBlock> arguments_;
  const std::unique_ptr<PipesInUse> pipes_;    // of the arguments; null if there are none
  const std::unique_ptr<LaunchChecks> checks_; // null if the kernel is built without
  const KernelVariant variants_[2];            // as in KernelLaunch, and the challenger
  VariantTrial* const trial_;                  // as in KernelLaunch
  const std::atomic<const KernelVariant*>* const replacement_; // as in KernelLaunch
  std::atomic<std::uint64_t>* const used_nanoseconds_;         // as in KernelLaunch
  const bool zeroes_local_;                                    // cl_khr_initialize_memory
  abi::Launch abi_;
  abi::Launch swapped_; // set if a variant may have swapped dimensions
  std::uint64_t groups_ = 1;
  std::uint64_t items_per_group_ = 1;
  SharedRanges ranges_;
  bool compares_ranges_ = false; // of both variants
  bool is_challenger_ = false;   // all groups run in the challenger
  std::atomic<std::uint64_t> busy_nanoseconds_{0};
  // Not null: fewer threads were woken than the groups are enough for, by an estimate that is wrong
  // if they still run then.
  Executor* wakes_if_late_ = nullptr;
  std::uint64_t late_at_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<cl_int> error_{CL_COMPLETE};
  PrintBuffer prints_;
};

thread_local constinit unsigned KernelCommand::thread_launches = 0;

} // namespace

Ref<Command> make_kernel_command(Queue& queue, cl_command_type type, KernelLaunch&& launch) {
  return Ref<Command>::adopt(new (std::nothrow) KernelCommand(queue, type, std::move(launch)));
}

Ref<Command> make_child_kernel(ParentKernel& parent, KernelLaunch&& launch, bool has_event,
                               bool profiling, DeviceQueue::Room room) {
  return Ref<Command>::adopt(new (std::nothrow) KernelCommand(parent, std::move(launch), has_event,
                                                              profiling, std::move(room)));
}

} // namespace heddle
