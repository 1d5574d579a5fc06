// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocating, freeing and asking for SVM of chosen types (cl_khr_unified_svm 0.9.0). All types are
// the same memory, so that each has all capabilities but those that name an owner.
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "icd/svm_types.h"
#include "runtime/allocation/storage.h"
#include "runtime/device/limits.h"
#include "runtime/execution/memory_release.h"
#include "runtime/memory/shared_memory.h"

#include <array>
#include <bit>
#include <cstdint>

using namespace heddle;
using namespace heddle::icd;

namespace {

using Capabilities = cl_svm_capabilities_khr;

constexpr Capabilities kEverywhere =
    CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR |
    CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR |
    CL_SVM_CAPABILITY_HOST_MAP_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
    CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR |
    CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR | CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR |
    CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
constexpr Capabilities kUnassociated = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;

constexpr std::array<Capabilities, 4> kTypes = {
    kEverywhere | kUnassociated,
    kEverywhere | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR,
    kEverywhere | kUnassociated | CL_SVM_CAPABILITY_HOST_OWNED_KHR,
    kEverywhere | kUnassociated | CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR,
};

constexpr cl_svm_alloc_access_flags_khr kAccess =
    CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR |
    CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;

// The names of properties by their numbers in SvmProperties::list, from 1 on.
constexpr std::array<cl_svm_alloc_properties_khr, 3> kNames = {
    CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
    CL_SVM_ALLOC_ALIGNMENT_KHR};

struct Properties {
  Device* device = nullptr;
  cl_svm_alloc_access_flags_khr access = 0;
  std::size_t alignment = 0;
  SvmProperties kept{};
};

// CL_INVALID_PROPERTY for what is no property, stands there twice or has a value that it must not
// have. Alignments may be larger than the extension promises.
cl_int read_properties(const Context& context, const cl_svm_alloc_properties_khr* list,
                       Properties& result) {
  if (!list)
    return CL_SUCCESS;
  unsigned kept = 1, seen = 0, count = 0;
  for (; *list; list += 2, ++count) {
    const auto value = list[1];
    unsigned number = 0;
    switch (list[0]) {
    case CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR:
      number = 1;
      result.device = find<Device>(reinterpret_cast<cl_device_id>(value));
      if (value != 0 && (!result.device || !context.has(result.device)))
        return CL_INVALID_PROPERTY;
      break;
    case CL_SVM_ALLOC_ACCESS_FLAGS_KHR:
      number = 2;
      result.access = value;
      if (value & ~kAccess)
        return CL_INVALID_PROPERTY;
      break;
    case CL_SVM_ALLOC_ALIGNMENT_KHR:
      number = 3;
      if (std::popcount(value) > 1 || value > storage::kMaxAlignment)
        return CL_INVALID_PROPERTY;
      result.alignment = value;
      result.kept.alignment = static_cast<std::uint8_t>(std::bit_width(value));
      break;
    default:
      return CL_INVALID_PROPERTY;
    }
    if (seen & 1u << number)
      return CL_INVALID_PROPERTY;
    seen |= 1u << number;
    kept |= number << (1 + 2 * count);
  }
  result.kept.list = static_cast<std::uint8_t>(kept);
  return CL_SUCCESS;
}

// The list that the allocation was made with; empty if there was none.
cl_int put_properties(const Allocation& allocation, const InfoOutput& out) {
  std::array<cl_svm_alloc_properties_khr, 2 * kNames.size() + 1> list{};
  std::size_t count = 0;
  for (unsigned left = allocation.svm.list >> 1; left != 0; left >>= 2) {
    const auto name = kNames[(left & 3) - 1];
    list[count++] = name;
    list[count++] = name == CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR
                        ? reinterpret_cast<cl_svm_alloc_properties_khr>(
                              allocation.device ? allocation.device->handle() : nullptr)
                    : name == CL_SVM_ALLOC_ACCESS_FLAGS_KHR ? allocation.flags
                    : allocation.svm.alignment == 0
                        ? 0
                        : cl_svm_alloc_properties_khr{1} << (allocation.svm.alignment - 1);
  }
  return out.put_bytes(list.data(), allocation.svm.list == 0 ? 0 : (count + 1) * sizeof(list[0]));
}

} // namespace

std::span<const cl_svm_capabilities_khr> heddle::icd::svm_types() { return kTypes; }

// Null without an error for no bytes. CL_INVALID_CONTEXT, CL_INVALID_PROPERTY (also for a type that
// needs a device without one), CL_INVALID_VALUE (the type), CL_INVALID_BUFFER_SIZE,
// CL_OUT_OF_HOST_MEMORY.
void* CL_API_CALL clSVMAllocWithPropertiesKHR(cl_context context,
                                              const cl_svm_alloc_properties_khr* properties,
                                              cl_uint svm_type_index, size_t size,
                                              cl_int* errcode_ret) {
  return guarded_create<void*>(errcode_ret, [&]() -> Result<void*> {
    auto* owner = find<Context>(context);
    if (const auto error = check_context(owner))
      return error;
    Properties given;
    if (const auto error = read_properties(*owner, properties, given))
      return error;
    if (svm_type_index >= kTypes.size())
      return CL_INVALID_VALUE;
    if (!(kTypes[svm_type_index] & kUnassociated) && !given.device)
      return CL_INVALID_PROPERTY;
    if (size == 0)
      return static_cast<void*>(nullptr);
    if (size > limits::allocation_bytes())
      return CL_INVALID_BUFFER_SIZE;
    given.kept.type = static_cast<std::uint8_t>(svm_type_index);
    auto* memory =
        shared_memory::allocate(*owner, kSvmAllocation, size, given.alignment, given.device,
                                given.access, shared_memory::HostWrites::always, given.kept);
    if (!memory)
      return CL_OUT_OF_HOST_MEMORY;
    return memory;
  });
}

// The memory stays until commands that are under way have finished. There are no properties and no
// flags yet. CL_INVALID_CONTEXT, CL_INVALID_PROPERTY, CL_INVALID_VALUE.
cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(cl_context context,
                                              const cl_svm_free_properties_khr* properties,
                                              cl_svm_free_flags_khr flags, void* ptr) {
  return guarded([&]() -> cl_int {
    auto* owner = find<Context>(context);
    if (!owner)
      return CL_INVALID_CONTEXT;
    if (properties && *properties)
      return CL_INVALID_PROPERTY;
    if (flags != 0)
      return CL_INVALID_VALUE;
    if (!ptr)
      return CL_SUCCESS;
    const auto allocation = owner->allocations().remove(ptr, kSvmAllocation);
    if (!allocation)
      return CL_INVALID_VALUE;
    release_memory(*owner, *allocation, nullptr);
    return CL_SUCCESS;
  });
}

// An address in no SVM allocation of the context is no error. CL_INVALID_CONTEXT,
// CL_INVALID_DEVICE, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void* ptr,
                                          cl_svm_pointer_info_khr param_name,
                                          size_t param_value_size, void* param_value,
                                          size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    const auto* owner = find<Context>(context);
    if (!owner)
      return CL_INVALID_CONTEXT;
    if (const auto* unit = find<Device>(device); device && (!unit || !owner->has(unit)))
      return CL_INVALID_DEVICE;
    const auto known = owner->allocations().find(ptr, kSvmAllocation);
    const auto found = known.value_or(Allocation{});
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_SVM_INFO_TYPE_INDEX_KHR:
      return out.put<cl_uint>(known ? found.svm.type : CL_UINT_MAX);
    case CL_SVM_INFO_CAPABILITIES_KHR:
      return out.put<Capabilities>(known ? kTypes[found.svm.type] : 0);
    case CL_SVM_INFO_PROPERTIES_KHR:
      return put_properties(found, out);
    case CL_SVM_INFO_ACCESS_FLAGS_KHR:
      return out.put<cl_svm_alloc_access_flags_khr>(found.svm.list != 0 ? found.flags : 0);
    case CL_SVM_INFO_BASE_PTR_KHR:
      return out.put<void*>(found.begin);
    case CL_SVM_INFO_SIZE_KHR:
      return out.put<size_t>(found.size);
    case CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR:
      return out.put<cl_device_id>(found.device ? static_cast<cl_device_id>(found.device->handle())
                                                : nullptr);
    default:
      return CL_INVALID_VALUE;
    }
  });
}

// The type with the most of the desired capabilities, of these the one with the fewest others;
// CL_UINT_MAX if none has the required ones. CL_INVALID_CONTEXT, CL_INVALID_PROPERTY,
// CL_INVALID_VALUE.
cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context,
                                                 cl_svm_capabilities_khr required_capabilities,
                                                 cl_svm_capabilities_khr desired_capabilities,
                                                 const cl_svm_alloc_properties_khr* properties,
                                                 size_t, cl_uint* suggested_svm_type_index) {
  return guarded([&]() -> cl_int {
    const auto* owner = find<Context>(context);
    if (!owner)
      return CL_INVALID_CONTEXT;
    Properties given;
    if (const auto error = read_properties(*owner, properties, given))
      return error;
    if (!suggested_svm_type_index)
      return CL_INVALID_VALUE;
    const auto wanted = required_capabilities | desired_capabilities;
    auto best = CL_UINT_MAX;
    int best_score = 0;
    for (cl_uint i = 0; i < kTypes.size(); ++i) {
      if ((kTypes[i] & required_capabilities) != required_capabilities)
        continue;
      const auto score =
          64 * std::popcount(kTypes[i] & wanted) - std::popcount(kTypes[i] & ~wanted);
      if (best == CL_UINT_MAX || score > best_score) {
        best = i;
        best_score = score;
      }
    }
    *suggested_svm_type_index = best;
    return CL_SUCCESS;
  });
}
