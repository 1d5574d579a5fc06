// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers, barriers and waits in queues (OpenCL API 5.12).
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "runtime/execution/queue.h"

using namespace heddle;
using namespace heddle::icd;

namespace {

cl_int enqueue(cl_command_queue command_queue, cl_uint count, const cl_event* list, cl_event* event,
               bool barrier) {
  return guarded([&]() -> cl_int {
    auto* queue = find<Queue>(command_queue);
    if (!queue)
      return CL_INVALID_COMMAND_QUEUE;
    WaitList waits;
    if (const auto error = waits.check(count, list, queue->context()))
      return error;
    return queue->enqueue_marker(waits.events(), event, barrier);
  });
}

} // namespace

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event* event_wait_list, cl_event* event) {
  return enqueue(command_queue, num_events_in_wait_list, event_wait_list, event, false);
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event* event_wait_list, cl_event* event) {
  return enqueue(command_queue, num_events_in_wait_list, event_wait_list, event, true);
}

// Deprecated. CL_INVALID_VALUE without an event.
cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue, cl_event* event) {
  if (!find<Queue>(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  return event ? enqueue(command_queue, 0, nullptr, event, false) : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue) {
  return enqueue(command_queue, 0, nullptr, nullptr, true);
}

// Deprecated: later commands wait until these events are complete. CL_INVALID_VALUE,
// CL_INVALID_EVENT.
cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                                          const cl_event* event_list) {
  if (!find<Queue>(command_queue))
    return CL_INVALID_COMMAND_QUEUE;
  if (num_events == 0 || !event_list)
    return CL_INVALID_VALUE;
  const auto error = enqueue(command_queue, num_events, event_list, nullptr, true);
  return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}
