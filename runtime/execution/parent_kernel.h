// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a kernel's command that knows what the kernel enqueues (OpenCL C 6.15.15).
//
// A kernel that another one enqueued is its child. Whoever can see that a command is complete, by
// its event, sees its children complete before (OpenCL API 3.2.3). Nobody sees a child without an
// event, so its own children count for its parent, and its memory is free when it ends: chains of
// any length take the memory of one command.
#pragma once

#include "runtime/core/mutex.h"
#include "runtime/execution/command.h"
#include "runtime/execution/device_queue.h"
#include "runtime/execution/kernel_table.h"

#include <atomic>
#include <cstdint>
#include <optional>

namespace heddle {

// What all descendants of a command of the host share; the command keeps it.
struct KernelFamily {
  const KernelTable* kernels = nullptr; // null: the program does not use device queues
  DeviceQueue* default_queue = nullptr;
  const LaunchChecks* checks = nullptr; // null: the program is built without memory checks
};

class ParentKernel : public Command {
 public:
  const KernelFamily& family() const { return family_; }
  // The command that waits for this kernel's children.
  ParentKernel& children_scope() noexcept {
    return is_seen_ ? *this : *static_cast<ParentKernel*>(scope());
  }
  // Counts a child; called before the child can finish, by a running descendant.
  void add_child() noexcept { unfinished_.fetch_add(1, std::memory_order_relaxed); }
  std::optional<cl_int> child_finished(cl_int status) noexcept override;
  // Keeps a child with CLK_ENQUEUE_FLAGS_WAIT_KERNEL until this kernel has ended.
  void add_after_kernel(Ref<Command> child) noexcept;

 protected:
  ParentKernel(Queue& queue, cl_command_type type, const KernelFamily& family)
      : Command(queue, type), family_(family), is_seen_(true) {}
  // A part of the command `whole`, which learns by child_finished() that it is complete.
  ParentKernel(Command& whole, const KernelFamily& family)
      : Command(whole, whole, CL_COMMAND_NDRANGE_KERNEL, false), family_(family), is_seen_(true) {}
  // A child, which takes `room` in its device queue until it ends.
  ParentKernel(ParentKernel& parent, bool has_event, bool profiling, DeviceQueue::Room room)
      : Command(parent, parent.children_scope(), CL_COMMAND_NDRANGE_KERNEL, profiling),
        family_(parent.family_), is_seen_(has_event), room_(std::move(room)) {}

  // Called once, after the last work-item: the status if the command is complete, nothing if
  // children are left.
  std::optional<cl_int> end(cl_int status) noexcept HEDDLE_NOT_ANALYZED;

 private:
  const KernelFamily family_;
  const bool is_seen_;
  DeviceQueue::Room room_;
  std::atomic<std::uint64_t> unfinished_{
      1}; // children, and one until this kernel has ended (acquire-release)
  std::atomic<cl_int> status_{CL_COMPLETE}; // the first error
  Mutex after_kernel_mutex_;
  ReadyList after_kernel_ HEDDLE_GUARDED_BY(after_kernel_mutex_);
};

// Lets children run that waited for a kernel or a work-group, or ends them if that failed.
void release_children(ReadyList& children, bool failed) noexcept;

// A kernel that is a part of the command `whole`; see Command::child_finished(). Null when memory
// is exhausted.
Ref<Command> make_part_kernel(Command& whole, KernelLaunch&& launch);

// Null when memory is exhausted. The parent's launch keeps `launch.loaded`, which may be null.
Ref<Command> make_child_kernel(ParentKernel& parent, KernelLaunch&& launch, bool has_event,
                               bool profiling, DeviceQueue::Room room);

} // namespace heddle
