// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that move bytes from, to and between buffers (OpenCL API 5.2.2 to 5.2.5, 5.5.3).
//
// Each command releases its reference to a buffer as soon as the bytes are moved: the user may keep
// the event much longer.
#include "icd/transfer.h"

#include "icd/entry_points.h"
#include "runtime/allocation/shadowed_memory.h"
#include "runtime/memory/fill.h"

#include <array>
#include <bit>
#include <cstring>
#include <optional>

using namespace heddle;
using namespace heddle::icd;

namespace {

// Enqueues a command that moves bytes between two addresses and keeps the buffers (the second may
// be null) until then. The device's threads share a large move unless the ranges overlap, as they
// may if the user's pointer is into a buffer with CL_MEM_USE_HOST_PTR.
cl_int enqueue_move(Transfer& transfer, cl_command_type type, cl_event* event, bool blocking,
                    void* to, const void* from, size_t size) {
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  const bool overlap = source < target + size && target < source + size;
  auto move = [memory = Ref<Memory>(transfer.memory), other = Ref<Memory>(transfer.other), target,
               source](size_t begin, size_t end) {
    if (target != source)
      std::memmove(target + begin, source + begin, end - begin);
    shadowed_memory::mark_copied(target + begin, source + begin, end - begin);
  };
  return transfer.enqueue_pieces(type, event, blocking, size, overlap, std::move(move));
}

// The checks that reads and writes share; the buffer must have none of the flags in `forbidden`.
cl_int prepare_host_move(Transfer& transfer, cl_command_queue command_queue, cl_mem buffer,
                         size_t offset, size_t size, const void* ptr, cl_uint wait_count,
                         const cl_event* wait_list, cl_mem_flags forbidden) {
  if (const auto error = transfer.find_objects(command_queue, buffer))
    return error;
  if (!ptr || !in_range(offset, size, transfer.memory->size()))
    return CL_INVALID_VALUE;
  if (const auto error = transfer.check_waits(wait_count, wait_list))
    return error;
  return transfer.memory->flags() & forbidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

} // namespace

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY;
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when blocking.
cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer,
                                       cl_bool blocking_read, size_t offset, size_t size, void* ptr,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    Transfer transfer;
    if (const auto error =
            prepare_host_move(transfer, command_queue, buffer, offset, size, ptr,
                              num_events_in_wait_list, event_wait_list, kHostCannotRead))
      return error;
    return enqueue_move(transfer, CL_COMMAND_READ_BUFFER, event, blocking_read, ptr,
                        transfer.memory->data() + offset, size);
  });
}

// As clEnqueueReadBuffer.
cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
                                        cl_bool blocking_write, size_t offset, size_t size,
                                        const void* ptr, cl_uint num_events_in_wait_list,
                                        const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    Transfer transfer;
    if (const auto error =
            prepare_host_move(transfer, command_queue, buffer, offset, size, ptr,
                              num_events_in_wait_list, event_wait_list, kHostCannotWrite))
      return error;
    return enqueue_move(transfer, CL_COMMAND_WRITE_BUFFER, event, blocking_write,
                        transfer.memory->data() + offset, ptr, size);
  });
}

namespace heddle::icd {

cl_int copy_buffer(const CommandTarget& target, cl_mem source, cl_mem destination,
                   size_t source_offset, size_t destination_offset, size_t size) {
  Transfer transfer(target);
  if (const auto error = transfer.find_objects(target.queue, source, destination))
    return error;
  if (!in_range(source_offset, size, transfer.memory->size()) ||
      !in_range(destination_offset, size, transfer.other->size()))
    return CL_INVALID_VALUE;
  if (const auto error = transfer.check_waits(target))
    return error;
  // By address, which includes sub-buffers of one buffer. Two buffers with the same host memory
  // are undefined (5.2.1); memmove is safe for them.
  const auto* from = transfer.memory->data() + source_offset;
  auto* to = transfer.other->data() + destination_offset;
  if (&transfer.memory->whole() == &transfer.other->whole() && from < to + size && to < from + size)
    return CL_MEM_COPY_OVERLAP;
  return enqueue_move(transfer, CL_COMMAND_COPY_BUFFER, target.event, false, to, from, size);
}

cl_int fill_buffer(const CommandTarget& target, cl_mem buffer, const void* pattern,
                   size_t pattern_size, size_t offset, size_t size) {
  Transfer transfer(target);
  if (const auto error = transfer.find_objects(target.queue, buffer))
    return error;
  if (!in_range(offset, size, transfer.memory->size()) || !pattern ||
      !std::has_single_bit(pattern_size) || pattern_size > fill::kMaxPatternBytes ||
      offset % pattern_size != 0 || size % pattern_size != 0)
    return CL_INVALID_VALUE;
  if (const auto error = transfer.check_waits(target))
    return error;
  std::array<std::byte, fill::kMaxPatternBytes> copy{};
  std::memcpy(copy.data(), pattern, pattern_size);
  auto* to = transfer.memory->data() + offset;
  return transfer.enqueue_pieces(
      CL_COMMAND_FILL_BUFFER, target.event, false, size, false,
      [memory = Ref<Memory>(transfer.memory), copy, pattern_size, to](size_t begin, size_t end) {
        fill::repeat(to + begin, end - begin, copy.data(), pattern_size);
        shadowed_memory::mark_written(to + begin, end - begin);
      });
}

} // namespace heddle::icd

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_MEM_COPY_OVERLAP, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer,
                                       cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                       size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return copy_buffer({command_queue, num_events_in_wait_list, event_wait_list, event}, src_buffer,
                       dst_buffer, src_offset, dst_offset, size);
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer,
                                       const void* pattern, size_t pattern_size, size_t offset,
                                       size_t size, cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return fill_buffer({command_queue, num_events_in_wait_list, event_wait_list, event}, buffer,
                       pattern, pattern_size, offset, size);
  });
}

// The device is the host, so there is nothing to migrate. CL_INVALID_COMMAND_QUEUE,
// CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST,
// CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue command_queue,
                                              cl_uint num_mem_objects, const cl_mem* mem_objects,
                                              cl_mem_migration_flags flags,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    if (!find<Queue>(command_queue))
      return CL_INVALID_COMMAND_QUEUE;
    if (num_mem_objects == 0 || !mem_objects)
      return CL_INVALID_VALUE;
    Transfer transfer;
    for (cl_uint i = 0; i < num_mem_objects; ++i)
      if (const auto error = transfer.find_objects(command_queue, mem_objects[i], find<Memory>))
        return error;
    if (flags & ~static_cast<cl_mem_migration_flags>(CL_MIGRATE_MEM_OBJECT_HOST |
                                                     CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
      return CL_INVALID_VALUE;
    if (const auto error = transfer.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    return transfer.enqueue(CL_COMMAND_MIGRATE_MEM_OBJECTS, event, false,
                            []() -> cl_int { return CL_COMPLETE; });
  });
}
