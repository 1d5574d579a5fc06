// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/termination.h"

#include "runtime/core/lock.h"
#include "runtime/execution/running_kernels.h"
#include "runtime/execution/scheduler.h"

#include <CL/cl_ext.h>

#include <new>
#include <utility>
#include <vector>

namespace heddle {

namespace {

// No kernel of the context runs any more.
void release_kernel_events(Context::Termination& termination) noexcept {
  decltype(termination.kernel_events) events;
  {
    const Lock lock(termination.mutex);
    events.swap(termination.kernel_events);
  }
  for (const auto& [event, kept] : events)
    while (event->release_user())
      ;
}

} // namespace

cl_int terminate(Context& context) noexcept {
  auto* termination = context.termination();
  if (!termination)
    return CL_INVALID_OPERATION;
  const Ref<Context> keep(&context);
  std::vector<Ref<Event>> cancelled;
  std::vector<Ref<Object>> abandoned;
  try {
    const Lock lock(termination->mutex);
    cancelled.reserve(termination->unfinished.size());
    if (termination->is_terminated.exchange(true, std::memory_order_seq_cst))
      return CL_CONTEXT_TERMINATED_KHR;
    for (auto* event : termination->unfinished)
      if (event->cancel())
        cancelled.emplace_back(event);
    abandoned.swap(termination->abandoned);
  } catch (const std::bad_alloc&) {
    return CL_OUT_OF_HOST_MEMORY;
  }
  for (const auto& event : cancelled)
    scheduler::finish_cancelled(*event);
  running_kernels::stop(termination->is_terminated);
  abandoned.clear();
  release_kernel_events(*termination);
  try {
    context.report("heddle: the context has been terminated");
  } catch (const std::bad_alloc&) {
    // The events tell it, too.
  }
  scheduler::run_callbacks();
  return CL_SUCCESS;
}

void keep_kernel_event(Event& event) {
  if (auto* termination = event.context().termination()) {
    const Lock lock(termination->mutex);
    termination->kernel_events.emplace(&event, Ref<Object>(&event));
  }
}

void drop_kernel_event(Event& event) noexcept {
  auto* termination = event.context().termination();
  if (!termination)
    return;
  Ref<Object> kept; // released without the lock
  const Lock lock(termination->mutex);
  if (const auto found = termination->kernel_events.find(&event);
      found != termination->kernel_events.end()) {
    kept = std::move(found->second);
    termination->kernel_events.erase(found);
  }
}

} // namespace heddle
