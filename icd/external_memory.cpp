// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of cl_khr_external_memory.
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "runtime/execution/queue.h"
#include "runtime/memory/memory.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace heddle;
using namespace heddle::icd;

namespace {

// CL_INVALID_VALUE, CL_INVALID_MEM_OBJECT, CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT.
cl_int find_objects(const Queue& queue, cl_uint count, const cl_mem* list,
                    std::vector<Ref<Memory>>& found) {
  if ((count == 0) != (list == nullptr))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    auto* memory = find<Memory>(list[i]);
    if (!memory || !memory->external_source())
      return CL_INVALID_MEM_OBJECT;
    found.emplace_back(memory);
  }
  for (const auto& memory : found)
    if (std::ranges::none_of(memory->external_source()->devices,
                             [&](const auto& device) { return device.get() == &queue.device(); }))
      return CL_INVALID_COMMAND_QUEUE;
  for (const auto& memory : found)
    if (&memory->context() != &queue.context())
      return CL_INVALID_CONTEXT;
  return CL_SUCCESS;
}

cl_int enqueue(cl_command_queue command_queue, cl_command_type type, cl_uint count,
               const cl_mem* list, cl_uint wait_count, const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    auto* queue = find<Queue>(command_queue);
    if (!queue)
      return CL_INVALID_COMMAND_QUEUE;
    std::vector<Ref<Memory>> memories;
    if (const auto error = find_objects(*queue, count, list, memories))
      return error;
    WaitList waits;
    if (const auto error = waits.check(wait_count, wait_list, queue->context()))
      return error;
    if (waits.has_failed())
      return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    const bool begins = type == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;
    auto body = [memories = std::move(memories), begins]() mutable -> cl_int {
      cl_int status = CL_COMPLETE;
      for (const auto& memory : std::exchange(memories, {})) {
        const auto result = begins ? external_memory::begin_access(*memory->external_source())
                                   : external_memory::end_access(*memory->external_source());
        status = std::min(status, result);
      }
      return status;
    };
    return queue->enqueue(make_command(*queue, type, std::move(body)), waits.events(), event,
                          false);
  });
}

} // namespace

// Without objects a command that only waits for the list. CL_INVALID_COMMAND_QUEUE,
// CL_INVALID_VALUE, CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT, CL_INVALID_EVENT_WAIT_LIST,
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return enqueue(command_queue, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, num_mem_objects,
                 mem_objects, num_events_in_wait_list, event_wait_list, event);
}

// As clEnqueueAcquireExternalMemObjectsKHR.
cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return enqueue(command_queue, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, num_mem_objects,
                 mem_objects, num_events_in_wait_list, event_wait_list, event);
}
