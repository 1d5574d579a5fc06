// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping of buffers and images (OpenCL API 5.2.6, 5.3.6, 5.5.2). The host accesses their own
// memory, so the commands move nothing and only affect the order.
#include "icd/entry_points.h"
#include "icd/image_region.h"
#include "icd/transfer.h"
#include "runtime/allocation/shadowed_memory.h"
#include "runtime/checks/reports.h"
#include "runtime/core/options.h"
#include "runtime/memory/mapped_regions.h"
#include "runtime/memory/memory.h"

#include <cstddef>
#include <functional>
#include <sstream>
#include <string>

using namespace heddle;
using namespace heddle::icd;

namespace {

constexpr cl_map_flags kWrites = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
constexpr cl_map_flags kMapFlags = CL_MAP_READ | kWrites;

Memory* find_mappable(const void* handle) noexcept {
  auto* memory = find<Memory>(handle);
  return memory && !memory->is_pipe() ? memory : nullptr;
}

bool are_map_flags(cl_map_flags flags) {
  const bool invalidates = flags & CL_MAP_WRITE_INVALIDATE_REGION;
  return !(flags & ~kMapFlags) && !(invalidates && (flags & (CL_MAP_READ | CL_MAP_WRITE)));
}

// The command keeps the memory object until it is complete.
auto nothing_with(Memory& memory) {
  return [memory = Ref<Memory>(&memory)]() mutable -> cl_int {
    memory = nullptr;
    return CL_COMPLETE;
  };
}

// "buffer 0x7f10c0", and of which other object.
std::string name_of(Memory& memory) {
  std::ostringstream text;
  text << (memory.is_image() ? "image "
           : memory.parent() ? "sub-buffer "
                             : "buffer ")
       << memory.handle();
  if (auto* parent = memory.parent())
    text << " (of " << name_of(*parent) << " from byte " << memory.offset() << " on)";
  return text.str();
}

std::string name_of(Memory& buffer, size_t offset, size_t size) {
  std::ostringstream text;
  text << "bytes " << offset << " to " << offset + size - 1 << " of " << name_of(buffer);
  return text.str();
}

std::string name_of(Image& image, const ImageRegion& part) {
  std::ostringstream text;
  const auto& [x, y, z] = part.origin;
  const auto& [width, height, depth] = part.region;
  text << "(" << x << ", " << y << ", " << z << ") to (" << x + width - 1 << ", " << y + height - 1
       << ", " << z + depth - 1 << ") of " << name_of(image);
  return text.str();
}

// False: the problem is suppressed. Throws std::bad_alloc.
bool report(const Context& context, cl_command_type type, const std::string& problem) {
  const auto text = std::string("heddle: ") +
                    (type == CL_COMMAND_MAP_BUFFER ? "clEnqueueMapBuffer " : "clEnqueueMapImage ") +
                    problem;
  const checks::Finding finding{checks::Check::memory, "", text, {}};
  if (checks::is_suppressed(finding))
    return false;
  checks::report(finding, text);
  context.report(text);
  return true;
}

// CL_INVALID_OPERATION unless the host may access the object in that way.
cl_int check_access(const Memory& memory, cl_map_flags flags) {
  return ((flags & CL_MAP_READ) && (memory.flags() & kHostCannotRead)) ||
                 ((flags & kWrites) && (memory.flags() & kHostCannotWrite))
             ? CL_INVALID_OPERATION
             : CL_SUCCESS;
}

// Enqueues the mapping of a region of the transfer's memory object, which `name` is called for in
// messages. CL_INVALID_OPERATION (memory checks), CL_OUT_OF_HOST_MEMORY,
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.
Result<void*> enqueue_map(Transfer& transfer, cl_command_type type, bool blocking,
                          cl_map_flags flags, const RectLayout& layout, const RectRegion& bytes,
                          const std::function<std::string()>& name, cl_event* event) {
  auto& memory = *transfer.memory;
  auto* const pointer = memory.data() + layout.begin;
  const bool is_checked = options().CHECK.memory && (flags & kWrites);
  if (is_checked)
    if (const auto problem =
            mapped_regions::add({&memory, &memory.whole(), memory.data(), layout, bytes, name()});
        problem && report(memory.context(), type, *problem))
      return CL_INVALID_OPERATION;
  if (flags & kWrites) // by the host, whatever is in between
    shadowed_memory::mark_written(pointer, layout.end - layout.begin);
  const Ref<Memory> keep(&memory); // a callback may release the user's last reference
  memory.add_mapping(pointer);
  const auto error = transfer.enqueue(type, event, blocking, nothing_with(memory));
  if (error) {
    memory.remove_mapping(pointer);
    if (is_checked)
      mapped_regions::remove(memory, pointer);
    return error;
  }
  return static_cast<void*>(pointer);
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
    if (size == 0 || !in_range(offset, size, transfer.memory->size()) || !are_map_flags(map_flags))
      return CL_INVALID_VALUE;
    if (const auto error = check_access(*transfer.memory, map_flags))
      return error;
    if (const auto error = transfer.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    auto& mapped = *transfer.memory;
    return enqueue_map(
        transfer, CL_COMMAND_MAP_BUFFER, blocking_map, map_flags,
        {offset, offset + size, size, size}, {size, 1, 1},
        [&] { return name_of(mapped, offset, size); }, event);
  });
}

// As clEnqueueMapBuffer, and CL_INVALID_MIP_LEVEL.
void* CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image,
                                    cl_bool blocking_map, cl_map_flags map_flags,
                                    const size_t* origin, const size_t* region,
                                    size_t* image_row_pitch, size_t* image_slice_pitch,
                                    cl_uint num_events_in_wait_list,
                                    const cl_event* event_wait_list, cl_event* event,
                                    cl_int* errcode_ret) {
  return guarded_create<void*>(errcode_ret, [&]() -> Result<void*> {
    Transfer transfer;
    if (const auto error = transfer.find_objects(command_queue, image, find_image_memory))
      return error;
    auto& mapped = static_cast<Image&>(*transfer.memory);
    if (!are_map_flags(map_flags))
      return CL_INVALID_VALUE;
    if (const auto error = check_access(mapped, map_flags))
      return error;
    auto part = ImageRegion::make(mapped, origin, region);
    if (!part)
      return part.error();
    const bool has_slices = mapped.shape().has_slices();
    if (!image_row_pitch || (has_slices && !image_slice_pitch))
      return CL_INVALID_VALUE;
    if (const auto error = transfer.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    auto pointer = enqueue_map(
        transfer, CL_COMMAND_MAP_IMAGE, blocking_map, map_flags, part->layout, part->bytes,
        [&] { return name_of(mapped, *part); }, event);
    if (!pointer)
      return pointer.error();
    *image_row_pitch = part->level.row_pitch;
    if (image_slice_pitch)
      *image_slice_pitch = has_slices ? part->level.slice_pitch : 0;
    return *pointer;
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
// CL_INVALID_EVENT_WAIT_LIST, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj,
                                           void* mapped_ptr, cl_uint num_events_in_wait_list,
                                           const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    Transfer transfer;
    if (const auto error = transfer.find_objects(command_queue, memobj, find_mappable))
      return error;
    if (const auto error = transfer.check_waits(num_events_in_wait_list, event_wait_list))
      return error;
    auto& memory = *transfer.memory;
    if (!memory.remove_mapping(mapped_ptr))
      return CL_INVALID_VALUE;
    if (options().CHECK.memory)
      mapped_regions::remove(memory, mapped_ptr);
    const Ref<Memory> keep(&memory);
    const auto error =
        transfer.enqueue(CL_COMMAND_UNMAP_MEM_OBJECT, event, false, nothing_with(memory));
    if (error)
      memory.add_mapping(mapped_ptr);
    return error;
  });
}
