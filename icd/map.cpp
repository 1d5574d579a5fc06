// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping of buffers (OpenCL API 5.2.6, 5.5.2). The host accesses the buffer's own memory, so the
// commands move nothing and only affect the order.
#include "icd/entry_points.h"
#include "icd/transfer.h"

#include <cstddef>

using namespace heddle;
using namespace heddle::icd;

namespace {

constexpr cl_map_flags kMapFlags = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

// The command keeps the buffer until it is complete.
auto nothing_with(Memory& memory) {
  return [memory = Ref<Memory>(&memory)]() mutable -> cl_int {
    memory = nullptr;
    return CL_COMPLETE;
  };
}

} // namespace

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY;
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when blocking.
void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer,
                                     cl_bool blocking_map, cl_map_flags map_flags, size_t offset,
                                     size_t size, cl_uint num_events_in_wait_list,
                                     const cl_event* event_wait_list, cl_event* event,
                                     cl_int* errcode_ret) {
  return guarded_create<void*>(errcode_ret, [&]() -> Result<void*> {
    Transfer transfer;
    if (const auto error = transfer.find_objects(command_queue, buffer))
      return error;
    auto& memory = *transfer.memory;
    const bool invalidates = map_flags & CL_MAP_WRITE_INVALIDATE_REGION;
    if (size == 0 || !in_range(offset, size, memory.size()) || (map_flags & ~kMapFlags) ||
        (invalidates && (map_flags & (CL_MAP_READ | CL_MAP_WRITE))))
      return CL_INVALID_VALUE;
    if (const auto error = transfer.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    if (((map_flags & CL_MAP_READ) && (memory.flags() & kHostCannotRead)) ||
        ((map_flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) &&
         (memory.flags() & kHostCannotWrite)))
      return CL_INVALID_OPERATION;
    void* pointer = memory.data() + offset;
    const Ref<Memory> keep(&memory); // a callback may release the user's last reference
    memory.add_mapping(pointer);
    const auto error =
        transfer.enqueue(CL_COMMAND_MAP_BUFFER, event, blocking_map, nothing_with(memory));
    if (error) {
      memory.remove_mapping(pointer);
      return error;
    }
    return pointer;
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj,
                                           void* mapped_ptr, cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    Transfer transfer;
    if (const auto error = transfer.find_objects(command_queue, memobj))
      return error;
    if (const auto error = transfer.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    auto& memory = *transfer.memory;
    if (!memory.remove_mapping(mapped_ptr))
      return CL_INVALID_VALUE;
    const Ref<Memory> keep(&memory);
    const auto error =
        transfer.enqueue(CL_COMMAND_UNMAP_MEM_OBJECT, event, false, nothing_with(memory));
    if (error)
      memory.add_mapping(mapped_ptr);
    return error;
  });
}
