// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command of a replay while threads run its pieces.
#pragma once

#include "runtime/command_buffer/recorded_command.h"
#include "runtime/command_buffer/recorded_kernel.h"
#include "runtime/execution/executor.h"
#include "runtime/execution/kernel_run.h"
#include "runtime/execution/shared_ranges.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle {

class ReplayState;

class SharedStep final : public SharedWork {
 public:
  explicit SharedStep(ReplayState& state) : state_(state) {}

  // For one thread, until release(). False if it is in use.
  bool acquire() noexcept;
  void release() noexcept { is_taken_.store(false, std::memory_order_release); }

  // A kernel that this thread runs alone; see KernelRun::begin().
  bool begin(const RecordedKernel::Version& version, Executor& executor,
             bool others_are_busy) noexcept;
  // A transfer that threads are to share.
  void begin(RecordedTransfer& transfer, Executor& executor) noexcept;
  cl_int result() noexcept;
  // Lets other threads take part, and takes part itself. True if this thread has ended the last
  // piece, and so still has the step; otherwise it is another one's.
  struct Place {
    std::uint32_t chain, at;
    const Queue* queue; // its address alone is used
  };
  bool share(const Place& place, Executor& executor, bool wakes) noexcept;

  bool has_more() const noexcept override;
  void participate() noexcept override;
  const Queue& queue() const noexcept override { return *place_.queue; }
  void retain_work() noexcept override;
  void release_work() noexcept override;

 private:
  bool take_part() noexcept;

  ReplayState& state_;
  std::atomic<bool> is_taken_{false}; // acquire to take, release to free
  // Threads that may access what follows although the last piece has ended.
  std::atomic<std::uint32_t> inside_{0}; // release to leave
  bool is_transfer_ = false;
  Place place_{}; // of the command
  KernelRun kernel_;
  RecordedTransfer* transfer_ = nullptr;
  std::size_t bytes_ = 0;
  SharedRanges pieces_;
  std::atomic<std::size_t> done_{0}; // acquire-release: publishes the pieces and error_
  std::atomic<cl_int> error_{CL_COMPLETE};
};

} // namespace heddle
