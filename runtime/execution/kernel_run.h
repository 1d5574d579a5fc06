// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One execution of a kernel: runs the groups in ranges, on one thread or on several.
#pragma once

#include "runtime/execution/executor.h"
#include "runtime/execution/prepared_kernel.h"
#include "runtime/execution/shared_ranges.h"
#include "runtime/execution/work_group_runner.h"

#include <CL/cl.h>

#include <atomic>
#include <cstdint>

namespace heddle {

class KernelRun {
 public:
  // Runs all groups of a short launch and returns true. Otherwise the groups that are left are to
  // be shared by threads() threads, which call take_part(). The kernel must live until all groups
  // have run. With `others_are_busy` other threads have work of their own, and only a long launch
  // is shared. The caller has called fault_guard::prepare_thread() before this launch, or before a
  // row of launches without a pause: brief ones leave that out, since it asks for the time.
  bool begin(const PreparedKernel& kernel, Executor& executor,
             bool others_are_busy = false) noexcept;
  // Shares all groups, and runs none yet.
  void begin_shared(const PreparedKernel& kernel, Executor& executor) noexcept;
  // Before begin(), for a launch of that priority: between its ranges threads run what is above it.
  void give_way(Executor& executor, Priority priority) noexcept {
    gives_way_ = &executor;
    priority_ = priority;
  }
  // Before begin(): packed arguments in place of the kernel's own, or null.
  void replace_arguments(const std::byte* packed) noexcept { runner_.replace_arguments(packed); }
  unsigned threads() const noexcept { return threads_; }
  bool has_more() const noexcept { return ranges_.has_more(); }
  // Runs ranges of groups until none is left. True for the thread that ends the last one, which
  // then calls result(). May also be called when all have ended and the kernel is gone.
  bool take_part() noexcept;
  // Called once, when all groups have run: what they printed is written. CL_COMPLETE or an error.
  cl_int result() noexcept { return runner_.result(); }
  // Before another execution, when no thread takes part any more.
  void reset() noexcept;

 private:
  const PreparedKernel& kernel() const noexcept { return runner_.kernel(); }
  bool is_crowded() const noexcept;
  bool leaves() noexcept;
  std::uint64_t measured_nanoseconds() const noexcept;
  std::uint64_t run_unmeasured(bool may_stop) noexcept;
  std::uint64_t run_serially(bool may_stop, std::uint64_t begin) noexcept;
  void share(std::uint64_t done, Executor& executor) noexcept;
  void learn(const GroupTimes& times, bool challenger, unsigned launches) const noexcept;
  void compare_launch() noexcept;

  WorkGroupRunner runner_;
  VariantTrial* trial_ = nullptr; // the kernel's
  Executor* executor_ = nullptr;  // of a shared launch with a replacement
  Executor* gives_way_ = nullptr; // to work above the priority
  Priority priority_ = Priority::medium;
  bool compares_ranges_ = false;          // of both variants
  bool is_challenger_ = false;            // all groups run in the challenger
  std::atomic<unsigned> participants_{0}; // threads that run groups
  unsigned threads_ = 1;
  std::atomic<std::uint64_t> done_{0}; // acquire-release: publishes the groups and their errors
  std::atomic<std::uint64_t> busy_nanoseconds_{0};
  // Not null: fewer threads were woken than the groups are enough for, by an estimate that is wrong
  // if they still run then.
  Executor* wakes_if_late_ = nullptr;
  std::uint64_t late_at_ = 0;
  SharedRanges ranges_;
};

} // namespace heddle
