// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/memory_properties.h"

#include "icd/compat.h"
#include "runtime/memory/memory.h"

#include <unistd.h>
#include <utility>

namespace heddle::icd {
namespace {

bool is_handle(cl_mem_properties name) {
  return name == CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR ||
         name == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR;
}

// Reads the devices at `list` up to the closing zero, which it moves `list` to.
cl_int read_devices(const Context& context, const cl_mem_properties*& list,
                    std::vector<ParentRef<Device>>& devices) {
  cl_int error = *list ? CL_SUCCESS : CL_INVALID_DEVICE;
  for (; *list; ++list) {
    auto* device = find<Device>(reinterpret_cast<const void*>(*list));
    if (device && context.has(device))
      devices.emplace_back(device);
    else
      error = CL_INVALID_DEVICE;
  }
  return error;
}

} // namespace

Result<MemoryProperties> read_memory_properties(const Context& context,
                                                const cl_mem_properties* list, bool of_image) {
  MemoryProperties properties;
  if (!list)
    return properties;
  bool has_address = false;
  bool has_devices = false;
  cl_int device_error = CL_SUCCESS;
  const auto* const begin = list;
  while (*list) {
    if (is_handle(list[0]) && !properties.has_handle()) {
      properties.handle_type = list[0];
      properties.file = static_cast<int>(list[1]);
      list += 2;
    } else if (list[0] == CL_MEM_DEVICE_HANDLE_LIST_KHR && !has_devices) {
      has_devices = true;
      device_error = read_devices(context, ++list, properties.devices);
      ++list;
    } else if (list[0] == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT && !of_image && !has_address &&
               (list[1] == CL_TRUE || list[1] == CL_FALSE)) {
      has_address = true;
      list += 2;
    } else {
      return CL_INVALID_PROPERTY;
    }
  }
  if (has_devices && !properties.has_handle())
    return CL_INVALID_PROPERTY;
  if (device_error)
    return device_error;
  if (properties.has_handle() && !has_devices)
    properties.devices.assign(context.devices().begin(), context.devices().end());
  properties.list.assign(begin, list + 1);
  return properties;
}

Result<external_memory::Mapping> map_handle(const MemoryProperties& properties, cl_mem_flags flags,
                                            std::size_t size) {
  auto mapping = external_memory::Mapping::make(properties.file, size, !(flags & kImmutable));
  if (!mapping)
    return mapping.error();
  if (!*mapping)
    return CL_INVALID_PROPERTY;
  return std::move(**mapping);
}

std::unique_ptr<external_memory::Source> make_source(const MemoryProperties& properties) {
  auto source = std::make_unique<external_memory::Source>();
  source->devices = properties.devices;
  return source;
}

void take_file(const MemoryProperties& properties, external_memory::Source& source) noexcept {
  if (properties.handle_type == CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR)
    source.dma_buf = external_memory::Descriptor(properties.file);
  else
    close(properties.file); // the mapping keeps the memory
}

} // namespace heddle::icd
