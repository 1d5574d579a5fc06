// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/work_group_runner.h"

#include "runtime/checks/reports.h"
#include "runtime/core/clock.h"
#include "runtime/execution/describe_fault.h"
#include "runtime/execution/parent_kernel.h"
#include "runtime/execution/worker_thread.h"
#include "runtime/trace/tasks.h"

#include <CL/cl_ext.h>

#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace heddle {
namespace {

// An upper bound; sub-groups may cross rows.
std::uint64_t sub_groups_per_group(const abi::Launch& launch, std::uint64_t width) noexcept {
  const auto& size = launch.local_size;
  return (size[0] + width - 1) / width * size[1] * size[2];
}

} // namespace

// HEDDLE_MIX: groups alternate between the first unit and the newest.
void WorkGroupRunner::run_mixed(std::uint64_t first, std::uint64_t last) noexcept {
  for (; first < last; ++first)
    run_in(first % 2 == 0 ? kernel_->champion() : kernel_->newest(), first, first + 1);
}

void WorkGroupRunner::run_in(const KernelVariant& variant, std::uint64_t first,
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
bool WorkGroupRunner::fail(cl_int error) noexcept {
  cl_int expected = CL_COMPLETE;
  return error_.compare_exchange_strong(expected, error);
}

// `message`, a callable std::string(), may throw std::bad_alloc. `finding` is null if no check has
// failed.
template <class Message>
void WorkGroupRunner::tell(Message message, const checks::Finding* finding) noexcept {
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

cl_int WorkGroupRunner::result() noexcept {
  prints_.flush();
  auto* checks = kernel_->checks.get();
  if (checks)
    tell_findings(*checks);
  const auto status = error_.load(std::memory_order_acquire);
  observe_end(status);
  return status;
}

// This thread has run the groups since `begin`.
void WorkGroupRunner::observe_groups(const KernelVariant& variant, std::uint64_t first,
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

void WorkGroupRunner::observe_end(cl_int status) noexcept {
  if (kernel_->profile.sums)
    profile::add_launch(kernel_->profile, begun_at_, monotonic_nanoseconds(), status < 0);
  if (progress::is_on())
    progress::end(std::exchange(progress_, nullptr));
}

// The command fails, and each finding is told.
void WorkGroupRunner::tell_findings(LaunchChecks& checks) noexcept {
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

} // namespace heddle
