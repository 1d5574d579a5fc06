// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs groups of one launch on the calling thread, and keeps what comes of them: the first error,
// what they print, findings of checks, and what profiles, timelines and progress tell.
#pragma once

#include "runtime/core/clock.h"
#include "runtime/core/options.h"
#include "runtime/execution/prepared_kernel.h"
#include "runtime/execution/print_buffer.h"
#include "runtime/profile/progress.h"

#include <CL/cl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle {

class WorkGroupRunner {
 public:
  // The kernel must live until all groups have run.
  void begin(const PreparedKernel& kernel) noexcept {
    kernel_ = &kernel;
    if (kernel.profile.sums)
      begun_at_ = monotonic_nanoseconds();
    if (progress::is_on())
      progress_ = progress::begin(kernel.champion().metadata->name, kernel.groups);
  }
  // Before run(): packed arguments in place of the kernel's own, or null.
  void replace_arguments(const std::byte* packed) noexcept { arguments_ = packed; }
  // Runs the groups first to last - 1, on any number of threads at a time; none after a failure.
  void run(std::uint64_t first, std::uint64_t last, const KernelVariant& variant) noexcept {
    if (kernel_->replacement && options().MIX)
      run_mixed(first, last);
    else
      run_in(variant, first, last);
  }
  const PreparedKernel& kernel() const noexcept { return *kernel_; }
  bool failed() const noexcept { return error_.load(std::memory_order_relaxed) != CL_COMPLETE; }
  // Called once, when all groups have run: what they printed is written. CL_COMPLETE or an error.
  cl_int result() noexcept;
  // Before another launch.
  void reset() noexcept { error_.store(CL_COMPLETE, std::memory_order_relaxed); }

 private:
  void run_mixed(std::uint64_t first, std::uint64_t last) noexcept;
  void run_in(const KernelVariant& variant, std::uint64_t first, std::uint64_t last) noexcept;
  bool fail(cl_int error = CL_OUT_OF_RESOURCES) noexcept;
  template <class Message>
  void tell(Message message, const checks::Finding* finding = nullptr) noexcept;
  void tell_findings(LaunchChecks& checks) noexcept;
  void observe_groups(const KernelVariant& variant, std::uint64_t first, std::uint64_t last,
                      std::uint64_t begin, const profile::Counts& before) noexcept;
  void observe_end(cl_int status) noexcept;

  const PreparedKernel* kernel_ = nullptr;
  const std::byte* arguments_ = nullptr; // in place of the kernel's own, if not null
  std::atomic<cl_int> error_{CL_COMPLETE};
  PrintBuffer prints_;
  std::uint64_t begun_at_ = 0; // if it is profiled
  progress::Running* progress_ = nullptr;
};

} // namespace heddle
