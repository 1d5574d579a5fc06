// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocating, freeing and asking for USM (cl_intel_unified_shared_memory 1.1.0).
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/allocation/storage.h"
#include "runtime/device/limits.h"
#include "runtime/execution/memory_release.h"
#include "runtime/memory/shared_memory.h"

#include <bit>

using namespace heddle;
using namespace heddle::icd;

namespace {

constexpr cl_mem_alloc_flags_intel kPlacement =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

// CL_INVALID_PROPERTY for what is no property, stands there twice or has flags that the kind of
// allocation must not have.
cl_int read_properties(const cl_mem_properties_intel* list, AllocationKind kind,
                       cl_mem_alloc_flags_intel& flags) {
  bool has_flags = false;
  for (; list && *list; list += 2) {
    if (list[0] != CL_MEM_ALLOC_FLAGS_INTEL || has_flags)
      return CL_INVALID_PROPERTY;
    has_flags = true;
    flags = list[1];
    const auto allowed =
        CL_MEM_ALLOC_WRITE_COMBINED_INTEL | (kind == kSharedAllocation ? kPlacement : 0);
    if ((flags & ~static_cast<cl_mem_alloc_flags_intel>(allowed)) ||
        (flags & kPlacement) == kPlacement)
      return CL_INVALID_PROPERTY;
  }
  return CL_SUCCESS;
}

// All memory is the host's, and what the flags ask for is what happens anyway.
void* allocate(cl_context context, AllocationKind kind, cl_device_id device,
               const cl_mem_properties_intel* properties, size_t size, cl_uint alignment,
               cl_int* errcode_ret) {
  return guarded_create<void*>(errcode_ret, [&]() -> Result<void*> {
    auto* owner = find<Context>(context);
    if (const auto error = check_context(owner))
      return error;
    auto* unit = find<Device>(device);
    if ((device || kind == kDeviceAllocation) && (!unit || !owner->has(unit)))
      return CL_INVALID_DEVICE;
    if (std::popcount(alignment) > 1 || alignment > storage::kMaxAlignment)
      return CL_INVALID_VALUE;
    cl_mem_alloc_flags_intel flags = 0;
    if (const auto error = read_properties(properties, kind, flags))
      return error;
    if (size == 0 || size > limits::allocation_bytes())
      return CL_INVALID_BUFFER_SIZE;
    const auto writes = kind == kDeviceAllocation ? shared_memory::HostWrites::by_commands
                                                  : shared_memory::HostWrites::always;
    auto* memory = shared_memory::allocate(*owner, kind, size, alignment, unit, flags, writes);
    if (!memory)
      return CL_OUT_OF_HOST_MEMORY;
    return memory;
  });
}

} // namespace

// CL_INVALID_CONTEXT, CL_INVALID_VALUE (alignment), CL_INVALID_PROPERTY, CL_INVALID_BUFFER_SIZE,
// CL_OUT_OF_HOST_MEMORY. Alignments may be larger than the extension promises.
void* CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel* properties,
                                      size_t size, cl_uint alignment, cl_int* errcode_ret) {
  return allocate(context, kHostAllocation, nullptr, properties, size, alignment, errcode_ret);
}

// As clHostMemAllocINTEL, and CL_INVALID_DEVICE.
void* CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel* properties, size_t size,
                                        cl_uint alignment, cl_int* errcode_ret) {
  return allocate(context, kDeviceAllocation, device, properties, size, alignment, errcode_ret);
}

// As clDeviceMemAllocINTEL; the device may be null.
void* CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                        const cl_mem_properties_intel* properties, size_t size,
                                        cl_uint alignment, cl_int* errcode_ret) {
  return allocate(context, kSharedAllocation, device, properties, size, alignment, errcode_ret);
}

// The memory stays until commands that are under way have finished. CL_INVALID_CONTEXT,
// CL_INVALID_VALUE.
cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void* ptr) {
  return guarded([&]() -> cl_int {
    auto* owner = find<Context>(context);
    if (!owner)
      return CL_INVALID_CONTEXT;
    if (!ptr)
      return CL_SUCCESS;
    const auto allocation = owner->allocations().remove(ptr, kUsmAllocations);
    if (!allocation)
      return CL_INVALID_VALUE;
    release_memory(*owner, *allocation, nullptr);
    return CL_SUCCESS;
  });
}

// Waits first for all commands that were enqueued in the context: each kernel may use each
// allocation. CL_INVALID_CONTEXT, CL_INVALID_VALUE.
cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void* ptr) {
  return guarded([&]() -> cl_int {
    auto* owner = find<Context>(context);
    if (!owner)
      return CL_INVALID_CONTEXT;
    if (!ptr)
      return CL_SUCCESS;
    const auto known = owner->allocations().find(ptr, kUsmAllocations);
    if (!known || known->begin != ptr)
      return CL_INVALID_VALUE;
    const Ref<Context> keep(owner); // others may release it while this waits
    finish_all_queues(*owner);
    return clMemFreeINTEL(context, ptr);
  });
}

// An address that is in no USM allocation of the context is of unknown type, and no error.
// CL_INVALID_CONTEXT, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void* ptr,
                                          cl_mem_info_intel param_name, size_t param_value_size,
                                          void* param_value, size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    const auto* owner = find<Context>(context);
    if (!owner)
      return CL_INVALID_CONTEXT;
    const auto known = owner->allocations().find(ptr, kUsmAllocations);
    const auto found = known.value_or(Allocation{});
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL:
      return out.put<cl_unified_shared_memory_type_intel>(
          !known                            ? CL_MEM_TYPE_UNKNOWN_INTEL
          : found.kind == kHostAllocation   ? CL_MEM_TYPE_HOST_INTEL
          : found.kind == kDeviceAllocation ? CL_MEM_TYPE_DEVICE_INTEL
                                            : CL_MEM_TYPE_SHARED_INTEL);
    case CL_MEM_ALLOC_BASE_PTR_INTEL:
      return out.put<void*>(found.begin);
    case CL_MEM_ALLOC_SIZE_INTEL:
      return out.put<size_t>(found.size);
    case CL_MEM_ALLOC_DEVICE_INTEL:
      return out.put<cl_device_id>(found.device ? static_cast<cl_device_id>(found.device->handle())
                                                : nullptr);
    case CL_MEM_ALLOC_FLAGS_INTEL:
      return out.put<cl_mem_alloc_flags_intel>(found.flags);
    default:
      return CL_INVALID_VALUE;
    }
  });
}
