// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/parent_kernel.h"

#include "runtime/core/lock.h"
#include "runtime/execution/scheduler.h"

namespace heddle {
namespace {

void set_first_error(std::atomic<cl_int>& status, cl_int error) noexcept {
  cl_int none = CL_COMPLETE;
  status.compare_exchange_strong(none, error, std::memory_order_relaxed);
}

} // namespace

std::optional<cl_int> ParentKernel::child_finished(cl_int status) noexcept {
  // The host sees no other command to which a fault of the child could belong. That the child did
  // not run, because an event that it waited for has failed, is what its program asked for.
  if (status < 0 && status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    set_first_error(status_, status);
  if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return std::nullopt;
  return status_.load(std::memory_order_relaxed);
}

void ParentKernel::add_after_kernel(Ref<Command> child) noexcept {
  const Lock lock(after_kernel_mutex_);
  after_kernel_.push(std::move(child));
}

std::optional<cl_int> ParentKernel::end(cl_int status) noexcept {
  if (family_.kernels == nullptr)
    return status;
  stamp_ended();
  room_.release();
  if (status < 0)
    set_first_error(status_, status);
  release_children(after_kernel_, status < 0); // of an ended kernel: none is added any more
  if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return std::nullopt;
  return status_.load(std::memory_order_relaxed);
}

void release_children(ReadyList& children, bool failed) noexcept {
  if (children.empty())
    return;
  ReadyList ready;
  while (auto child = children.pop())
    child->dependency_done(failed, ready);
  scheduler::publish(ready);
}

} // namespace heddle
