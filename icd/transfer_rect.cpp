// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that move rectangular regions of buffers (OpenCL API 5.2.2, 5.2.4).
#include "icd/entry_points.h"
#include "icd/transfer.h"

using namespace heddle;
using namespace heddle::icd;

namespace {

// The layout of the region; CL_INVALID_VALUE for invalid pitches and sizes, and if it exceeds
// `total` bytes.
Result<RectLayout> layout(const BufferSide& side, const size_t* region, size_t total) {
  if (!side.origin || !region)
    return CL_INVALID_VALUE;
  const auto made =
      RectLayout::make({side.origin[0], side.origin[1], side.origin[2]},
                       {region[0], region[1], region[2]}, side.row_pitch, side.slice_pitch);
  if (!made || made->end > total)
    return CL_INVALID_VALUE;
  return *made;
}

// Reads (to the host) and writes (from it).
cl_int enqueue_host_rect(cl_command_queue command_queue, cl_mem buffer, bool blocking, bool read,
                         const BufferSide& buffer_side, const BufferSide& host_side,
                         const size_t* region_values, void* ptr, cl_uint wait_count,
                         const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    Transfer transfer;
    if (const auto error = transfer.find_objects(command_queue, buffer))
      return error;
    auto inside = layout(buffer_side, region_values, transfer.memory->size());
    if (!inside)
      return inside.error();
    auto outside = layout(host_side, region_values, SIZE_MAX);
    if (!outside)
      return outside.error();
    if (!ptr)
      return CL_INVALID_VALUE;
    if (const auto error = transfer.check_waits(wait_count, wait_list))
      return error;
    if (transfer.memory->flags() & (read ? kHostCannotRead : kHostCannotWrite))
      return CL_INVALID_OPERATION;
    const RectRegion region{region_values[0], region_values[1], region_values[2]};
    auto* host = static_cast<std::byte*>(ptr);
    auto* inner = transfer.memory->data();
    return enqueue_copy(transfer, read ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT,
                        event, blocking,
                        read ? RectCopy(host, *outside, inner, *inside, region)
                             : RectCopy(inner, *inside, host, *outside, region));
  });
}

} // namespace

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY;
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when blocking.
cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                           cl_bool blocking_read, const size_t* buffer_origin,
                                           const size_t* host_origin, const size_t* region,
                                           size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                           size_t host_row_pitch, size_t host_slice_pitch,
                                           void* ptr, cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return enqueue_host_rect(command_queue, buffer, blocking_read, true,
                           {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                           {host_origin, host_row_pitch, host_slice_pitch}, region, ptr,
                           num_events_in_wait_list, event_wait_list, event);
}

// As clEnqueueReadBufferRect.
cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
                                            cl_bool blocking_write, const size_t* buffer_origin,
                                            const size_t* host_origin, const size_t* region,
                                            size_t buffer_row_pitch, size_t buffer_slice_pitch,
                                            size_t host_row_pitch, size_t host_slice_pitch,
                                            const void* ptr, cl_uint num_events_in_wait_list,
                                            const cl_event* event_wait_list, cl_event* event) {
  return enqueue_host_rect(command_queue, buffer, blocking_write, false,
                           {buffer_origin, buffer_row_pitch, buffer_slice_pitch},
                           {host_origin, host_row_pitch, host_slice_pitch}, region,
                           const_cast<void*>(ptr), num_events_in_wait_list, event_wait_list, event);
}

cl_int heddle::icd::copy_buffer_rect(const CommandTarget& target, cl_mem source, cl_mem destination,
                                     const BufferSide& source_side,
                                     const BufferSide& destination_side,
                                     const size_t* region_values) {
  Transfer transfer(target);
  if (const auto error = transfer.find_objects(target.queue, source, destination))
    return error;
  auto from = layout(source_side, region_values, transfer.memory->size());
  if (!from)
    return from.error();
  auto to = layout(destination_side, region_values, transfer.other->size());
  if (!to)
    return to.error();
  if (transfer.memory == transfer.other &&
      (from->row_pitch != to->row_pitch || from->slice_pitch != to->slice_pitch))
    return CL_INVALID_VALUE;
  if (const auto error = transfer.check_waits(target))
    return error;
  const RectRegion region{region_values[0], region_values[1], region_values[2]};
  if (&transfer.memory->whole() == &transfer.other->whole() &&
      rects_overlap({transfer.memory->data(), *from, region},
                    {transfer.other->data(), *to, region}))
    return CL_MEM_COPY_OVERLAP;
  return enqueue_copy(
      transfer, CL_COMMAND_COPY_BUFFER_RECT, target.event, false,
      RectCopy(transfer.other->data(), *to, transfer.memory->data(), *from, region));
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_MEM_COPY_OVERLAP, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue command_queue, cl_mem src_buffer,
                                           cl_mem dst_buffer, const size_t* src_origin,
                                           const size_t* dst_origin, const size_t* region,
                                           size_t src_row_pitch, size_t src_slice_pitch,
                                           size_t dst_row_pitch, size_t dst_slice_pitch,
                                           cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return copy_buffer_rect({command_queue, num_events_in_wait_list, event_wait_list, event},
                            src_buffer, dst_buffer, {src_origin, src_row_pitch, src_slice_pitch},
                            {dst_origin, dst_row_pitch, dst_slice_pitch}, region);
  });
}
