// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that move elements from, to and between images (OpenCL API 5.3.3 to 5.3.5).
//
// Sizes and formats are those that all devices have, so that CL_INVALID_IMAGE_SIZE and
// CL_IMAGE_FORMAT_NOT_SUPPORTED do not occur.
#include "icd/entry_points.h"
#include "icd/image_region.h"
#include "icd/transfer.h"
#include "runtime/image/color.h"

#include <cstddef>

using namespace heddle;
using namespace heddle::icd;

namespace {

const Image& as_image(const Memory* memory) { return static_cast<const Image&>(*memory); }

// Reads (to the host) and writes (from it).
cl_int enqueue_host_copy(cl_command_queue command_queue, cl_mem image, bool blocking, bool read,
                         const size_t* origin, const size_t* region, size_t row_pitch,
                         size_t slice_pitch, void* ptr, cl_uint wait_count,
                         const cl_event* wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    Transfer transfer;
    if (const auto error = transfer.find_objects(command_queue, image, find_image_memory))
      return error;
    const auto& accessed = as_image(transfer.memory);
    auto part = ImageRegion::make(accessed, origin, region);
    if (!part)
      return part.error();
    auto outside = part->host_layout(accessed, row_pitch, slice_pitch);
    if (!outside)
      return outside.error();
    if (!ptr)
      return CL_INVALID_VALUE;
    if (const auto error = transfer.check_waits(wait_count, wait_list))
      return error;
    if (accessed.flags() & (read ? kHostCannotRead : kHostCannotWrite))
      return CL_INVALID_OPERATION;
    auto* host = static_cast<std::byte*>(ptr);
    auto* data = accessed.data();
    return enqueue_copy(transfer, read ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE, event,
                        blocking,
                        read ? RectCopy(host, *outside, data, part->layout, part->bytes)
                             : RectCopy(data, part->layout, host, *outside, part->bytes));
  });
}

bool same_format(const Image& a, const Image& b) { return &a.format() == &b.format(); }

} // namespace

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_MIP_LEVEL, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY;
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when blocking.
cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image,
                                      cl_bool blocking_read, const size_t* origin,
                                      const size_t* region, size_t row_pitch, size_t slice_pitch,
                                      void* ptr, cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return enqueue_host_copy(command_queue, image, blocking_read, true, origin, region, row_pitch,
                           slice_pitch, ptr, num_events_in_wait_list, event_wait_list, event);
}

// As clEnqueueReadImage.
cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image,
                                       cl_bool blocking_write, const size_t* origin,
                                       const size_t* region, size_t input_row_pitch,
                                       size_t input_slice_pitch, const void* ptr,
                                       cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return enqueue_host_copy(command_queue, image, blocking_write, false, origin, region,
                           input_row_pitch, input_slice_pitch, const_cast<void*>(ptr),
                           num_events_in_wait_list, event_wait_list, event);
}

namespace heddle::icd {

cl_int copy_image(const CommandTarget& target, cl_mem source_handle, cl_mem destination_handle,
                  const size_t* source_origin, const size_t* destination_origin,
                  const size_t* region) {
  Transfer transfer(target);
  if (const auto error = transfer.find_objects(target.queue, source_handle, destination_handle,
                                               find_image_memory, find_image_memory))
    return error;
  const auto& source = as_image(transfer.memory);
  const auto& destination = as_image(transfer.other);
  if (!same_format(source, destination))
    return CL_IMAGE_FORMAT_MISMATCH;
  auto from = ImageRegion::make(source, source_origin, region);
  if (!from)
    return from.error();
  auto to = ImageRegion::make(destination, destination_origin, region);
  if (!to)
    return to.error();
  if (const auto error = transfer.check_waits(target))
    return error;
  if (&source.whole() == &destination.whole() &&
      rects_overlap({source.data(), from->layout, from->bytes},
                    {destination.data(), to->layout, from->bytes}))
    return CL_MEM_COPY_OVERLAP;
  // Levels and layers of one image are different bytes, but their address ranges may overlap.
  const RectCopy copy(destination.data(), to->layout, source.data(), from->layout, from->bytes);
  return enqueue_rect(transfer, CL_COMMAND_COPY_IMAGE, target.event, false, copy, false);
}

cl_int copy_image_to_buffer(const CommandTarget& target, cl_mem source_handle,
                            cl_mem destination_handle, const size_t* source_origin,
                            const size_t* region, size_t destination_offset) {
  Transfer transfer(target);
  if (const auto error = transfer.find_objects(target.queue, source_handle, destination_handle,
                                               find_image_memory, find_buffer))
    return error;
  const auto& source = as_image(transfer.memory);
  if (source.type() == CL_MEM_OBJECT_IMAGE1D_BUFFER && source.parent() == transfer.other)
    return CL_INVALID_MEM_OBJECT;
  auto from = ImageRegion::make(source, source_origin, region);
  if (!from)
    return from.error();
  auto to = from->buffer_layout(destination_offset, transfer.other->size());
  if (!to)
    return to.error();
  if (const auto error = transfer.check_waits(target))
    return error;
  return enqueue_copy(
      transfer, CL_COMMAND_COPY_IMAGE_TO_BUFFER, target.event, false,
      RectCopy(transfer.other->data(), *to, source.data(), from->layout, from->bytes));
}

cl_int copy_buffer_to_image(const CommandTarget& target, cl_mem source_handle,
                            cl_mem destination_handle, size_t source_offset,
                            const size_t* destination_origin, const size_t* region) {
  Transfer transfer(target);
  if (const auto error = transfer.find_objects(target.queue, source_handle, destination_handle,
                                               find_buffer, find_image_memory))
    return error;
  const auto& destination = as_image(transfer.other);
  if (destination.type() == CL_MEM_OBJECT_IMAGE1D_BUFFER && destination.parent() == transfer.memory)
    return CL_INVALID_MEM_OBJECT;
  auto to = ImageRegion::make(destination, destination_origin, region);
  if (!to)
    return to.error();
  auto from = to->buffer_layout(source_offset, transfer.memory->size());
  if (!from)
    return from.error();
  if (const auto error = transfer.check_waits(target))
    return error;
  return enqueue_copy(
      transfer, CL_COMMAND_COPY_BUFFER_TO_IMAGE, target.event, false,
      RectCopy(destination.data(), to->layout, transfer.memory->data(), *from, to->bytes));
}

cl_int fill_image(const CommandTarget& target, cl_mem image, const void* color,
                  const size_t* origin, const size_t* region) {
  Transfer transfer(target);
  if (const auto error = transfer.find_objects(target.queue, image, find_image_memory))
    return error;
  const auto& filled = as_image(transfer.memory);
  if (!color)
    return CL_INVALID_VALUE;
  auto part = ImageRegion::make(filled, origin, region);
  if (!part)
    return part.error();
  if (const auto error = transfer.check_waits(target))
    return error;
  const auto element = make_element(filled.format(), color);
  const RectFill fill(filled.data(), part->layout, part->bytes, element.data(),
                      filled.format().element_size);
  return enqueue_rect(transfer, CL_COMMAND_FILL_IMAGE, target.event, false, fill, false);
}

} // namespace heddle::icd

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_IMAGE_FORMAT_MISMATCH,
// CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL, CL_INVALID_EVENT_WAIT_LIST, CL_MEM_COPY_OVERLAP,
// CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                      cl_mem dst_image, const size_t* src_origin,
                                      const size_t* dst_origin, const size_t* region,
                                      cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return copy_image({command_queue, num_events_in_wait_list, event_wait_list, event}, src_image,
                      dst_image, src_origin, dst_origin, region);
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_MIP_LEVEL, CL_INVALID_EVENT_WAIT_LIST, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue command_queue, cl_mem src_image,
                                              cl_mem dst_buffer, const size_t* src_origin,
                                              const size_t* region, size_t dst_offset,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return copy_image_to_buffer({command_queue, num_events_in_wait_list, event_wait_list, event},
                                src_image, dst_buffer, src_origin, region, dst_offset);
  });
}

// As clEnqueueCopyImageToBuffer.
cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue command_queue, cl_mem src_buffer,
                                              cl_mem dst_image, size_t src_offset,
                                              const size_t* dst_origin, const size_t* region,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return copy_buffer_to_image({command_queue, num_events_in_wait_list, event_wait_list, event},
                                src_buffer, dst_image, src_offset, dst_origin, region);
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_MIP_LEVEL, CL_INVALID_EVENT_WAIT_LIST, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                      const void* fill_color, const size_t* origin,
                                      const size_t* region, cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    return fill_image({command_queue, num_events_in_wait_list, event_wait_list, event}, image,
                      fill_color, origin, region);
  });
}
