// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/memory.h"

#include "runtime/allocation/allocation_map.h"
#include "runtime/allocation/shadowed_memory.h"
#include "runtime/allocation/storage.h"
#include "runtime/core/lock.h"
#include "runtime/core/program_code.h"
#include "runtime/memory/mapped_regions.h"
#include "runtime/memory/placement.h"

#include <cstring>
#include <new>
#include <sys/mman.h>

namespace heddle {

Memory::Memory(Context& context, cl_mem_object_type type, Memory* parent, cl_mem_flags flags,
               std::byte* data, std::size_t size, Storage storage,
               std::vector<cl_mem_properties> properties)
    : Object(Kind::memory), context_(&context), parent_(parent), type_(type), flags_(flags),
      data_(data), argument_(data), size_(size), storage_(storage),
      properties_(std::move(properties)) {}

Memory::~Memory() {
  // Here, not when the handle becomes invalid: pending commands may still use the host pointer that
  // the callbacks free.
  if (!destructors_.empty())
    program_code::call([this]() HEDDLE_NOT_ANALYZED {
      for (auto entry = destructors_.rbegin(); entry != destructors_.rend(); ++entry)
        entry->function(entry->handle, entry->user_data);
    });
  mapped_regions::forget(*this);
  if (is_in_map_)
    (void)context_->allocations().remove(data_, kBufferAllocation);
  if (storage_ == Storage::own)
    storage::free(data_, size_);
  else if (storage_ == Storage::mapped)
    munmap(data_, size_);
}

Result<Ref<Memory>> Memory::make_buffer(Context& context, cl_mem_flags flags, std::size_t size,
                                        void* host, std::vector<cl_mem_properties> properties) {
  const bool use_host = flags & CL_MEM_USE_HOST_PTR;
  auto& allocations = context.allocations();
  const auto around =
      host ? allocations.find(host, kSvmAllocation | kUsmAllocations) : std::optional<Allocation>();
  if (around && !around->contains(host, size))
    return CL_INVALID_BUFFER_SIZE;
  auto* data = use_host                       ? static_cast<std::byte*>(host)
               : flags & CL_MEM_COPY_HOST_PTR ? storage::allocate(size)
                                              : storage::allocate_unwritten(size);
  if (!data)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (use_host) // SVM's contents are the host's then
    shadowed_memory::mark_written(data, size);
  else
    placement::choose(context, flags, data, size);
  if (host && flags & CL_MEM_COPY_HOST_PTR)
    std::memcpy(data, host, size);
  auto memory = Ref<Memory>::adopt(
      new (std::nothrow) Memory(context, CL_MEM_OBJECT_BUFFER, nullptr, flags, data, size,
                                use_host ? Storage::others : Storage::own, std::move(properties)));
  if (!memory) {
    if (!use_host)
      storage::free(data, size);
    return CL_OUT_OF_HOST_MEMORY;
  }
  memory->over_svm_ = use_host && around && around->kind == kSvmAllocation;
  memory->add_address(!use_host);
  return memory;
}

// Of a new buffer: whether it was asked to have an address, which is found in the context's map if
// it is not that of other memory.
void Memory::add_address(bool is_own) {
  for (std::size_t i = 0; i + 1 < properties_.size(); i += 2)
    if (properties_[i] == kDeviceAddressProperty)
      has_device_address_ = properties_[i + 1] != CL_FALSE;
  if (has_device_address_ && is_own) {
    context_->allocations().add({data_, size_, kBufferAllocation, nullptr, flags_});
    is_in_map_ = true;
  }
}

Result<Ref<Memory>> Memory::make_imported(Context& context, cl_mem_flags flags, void* data,
                                          std::size_t size) {
  auto memory = Ref<Memory>::adopt(new (std::nothrow) Memory(context, CL_MEM_OBJECT_BUFFER, nullptr,
                                                             flags, static_cast<std::byte*>(data),
                                                             size, Storage::others, {}));
  if (!memory)
    return CL_OUT_OF_HOST_MEMORY;
  return memory;
}

Result<Ref<Memory>> Memory::make_imported(Context& context, cl_mem_flags flags,
                                          external_memory::Mapping&& mapping,
                                          std::vector<cl_mem_properties> properties,
                                          std::unique_ptr<external_memory::Source> source) {
  auto memory = Ref<Memory>::adopt(
      new (std::nothrow) Memory(context, CL_MEM_OBJECT_BUFFER, nullptr, flags, mapping.data(),
                                mapping.size(), Storage::mapped, std::move(properties)));
  if (!memory)
    return CL_OUT_OF_HOST_MEMORY;
  mapping.release();
  memory->set_external_source(std::move(source));
  memory->add_address(true);
  return memory;
}

Ref<Memory> Memory::make_sub_buffer(Memory& parent, cl_mem_flags flags, std::size_t origin,
                                    std::size_t size) {
  return Ref<Memory>::adopt(new (std::nothrow)
                                Memory(parent.context(), CL_MEM_OBJECT_BUFFER, &parent, flags,
                                       parent.data() + origin, size, Storage::others, {}));
}

Result<Ref<Memory>> Memory::make_pipe(Context& context, cl_mem_flags flags, cl_uint packet_size,
                                      cl_uint max_packets) {
  const auto size = pipe_ring::bytes_for(packet_size, max_packets);
  auto* data = storage::allocate_zeroed(size);
  if (!data)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  auto memory = Ref<Memory>::adopt(new (std::nothrow) Memory(context, CL_MEM_OBJECT_PIPE, nullptr,
                                                             flags, data, size, Storage::own, {}));
  if (!memory) {
    storage::free(data, size);
    return CL_OUT_OF_HOST_MEMORY;
  }
  pipe_ring::make(data, packet_size, max_packets);
  return memory;
}

void Memory::add_mapping(const void* pointer) {
  const Lock lock(mutex_);
  ++mappings_[pointer];
  map_count_.fetch_add(1, std::memory_order_relaxed);
}

bool Memory::remove_mapping(const void* pointer) {
  const Lock lock(mutex_);
  const auto place = mappings_.find(pointer);
  if (place == mappings_.end())
    return false;
  if (--place->second == 0)
    mappings_.erase(place);
  map_count_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

void Memory::add_destructor(Destructor function, void* user_data) {
  const Lock lock(mutex_);
  destructors_.push_back({function, static_cast<cl_mem>(handle()), user_data});
}

} // namespace heddle
