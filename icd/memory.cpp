// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers and sub-buffers (OpenCL API 5.2, 5.5).
#include "runtime/memory/memory.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "icd/memory_flags.h"
#include "icd/memory_properties.h"
#include "runtime/device/limits.h"

using namespace heddle;
using namespace heddle::icd;

namespace {

// A buffer of an external memory handle.
Result<cl_mem> import_buffer(Context& context, MemoryProperties&& properties, cl_mem_flags flags,
                             size_t size) {
  auto mapping = map_handle(properties, flags, size);
  if (!mapping)
    return mapping.error();
  auto memory = Memory::make_imported(context, flags, std::move(*mapping), properties.list,
                                      make_source(properties));
  if (!memory)
    return memory.error();
  auto& source = *(*memory)->external_source();
  auto handle = give_to_user<cl_mem>(std::move(*memory));
  if (handle)
    take_file(properties, source);
  return handle;
}

// `bad_property`: what the entry point answers for properties that are not valid.
cl_mem create_buffer(cl_context context, const cl_mem_properties* properties, cl_mem_flags flags,
                     size_t size, void* host_ptr, cl_int* errcode_ret,
                     cl_int bad_property = CL_INVALID_PROPERTY) {
  return guarded_create<cl_mem>(errcode_ret, [&]() -> Result<cl_mem> {
    auto* owner = find<Context>(context);
    if (const auto error = check_context(owner))
      return error;
    auto checked = read_memory_properties(*owner, properties, false);
    if (!checked)
      return checked.error() == CL_INVALID_PROPERTY ? bad_property : checked.error();
    if (const auto error = check_flags(flags, checked->has_handle()))
      return error;
    if (checked->has_handle() && (flags & kHostPointer))
      return CL_INVALID_VALUE;
    if (size == 0 || size > limits::allocation_bytes())
      return CL_INVALID_BUFFER_SIZE;
    if ((host_ptr != nullptr) != ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0))
      return CL_INVALID_HOST_PTR;
    if (checked->has_handle())
      return import_buffer(*owner, std::move(*checked), flags, size);
    auto memory = Memory::make_buffer(*owner, flags, size, host_ptr, std::move(checked->list));
    if (!memory)
      return memory.error();
    return give_to_user<cl_mem>(std::move(*memory));
  });
}

} // namespace

// CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_BUFFER_SIZE, CL_INVALID_HOST_PTR,
// CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY.
cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                  void* host_ptr, cl_int* errcode_ret) {
  return create_buffer(context, nullptr, flags, size, host_ptr, errcode_ret);
}

// As clCreateBuffer, and CL_INVALID_PROPERTY, CL_INVALID_DEVICE.
cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                const cl_mem_properties* properties,
                                                cl_mem_flags flags, size_t size, void* host_ptr,
                                                cl_int* errcode_ret) {
  return create_buffer(context, properties, flags, size, host_ptr, errcode_ret);
}

// cl_intel_create_buffer_with_properties: properties that are not valid are CL_INVALID_VALUE.
cl_mem CL_API_CALL clCreateBufferWithPropertiesINTEL(cl_context context,
                                                     const cl_mem_properties_intel* properties,
                                                     cl_mem_flags flags, size_t size,
                                                     void* host_ptr, cl_int* errcode_ret) {
  return create_buffer(context, properties, flags, size, host_ptr, errcode_ret, CL_INVALID_VALUE);
}

// CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, CL_INVALID_BUFFER_SIZE, CL_MISALIGNED_SUB_BUFFER_OFFSET,
// CL_OUT_OF_HOST_MEMORY.
cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                     cl_buffer_create_type buffer_create_type,
                                     const void* buffer_create_info, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&]() -> Result<cl_mem> {
    auto* parent = find_buffer(buffer);
    if (!parent || parent->parent())
      return CL_INVALID_MEM_OBJECT;
    if (const auto error = check_context(&parent->context()))
      return error;
    if (const auto error = check_child_flags(parent->flags(), flags))
      return error;
    if (buffer_create_type != CL_BUFFER_CREATE_TYPE_REGION || !buffer_create_info)
      return CL_INVALID_VALUE;
    const auto region = *static_cast<const cl_buffer_region*>(buffer_create_info);
    if (region.size == 0)
      return CL_INVALID_BUFFER_SIZE;
    if (!in_range(region.origin, region.size, parent->size()))
      return CL_INVALID_VALUE;
    if (region.origin % limits::kBaseAlignment != 0)
      return CL_MISALIGNED_SUB_BUFFER_OFFSET;
    flags = inherit_flags(parent->flags(), flags);
    return give_to_user<cl_mem>(
        Memory::make_sub_buffer(*parent, flags, region.origin, region.size));
  });
}

cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  return retain_handle<Memory>(memobj, CL_INVALID_MEM_OBJECT);
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  return release_handle<Memory>(memobj, CL_INVALID_MEM_OBJECT);
}

// CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem memobj,
                                                    void(CL_CALLBACK* pfn_notify)(cl_mem, void*),
                                                    void* user_data) {
  return guarded([&]() -> cl_int {
    auto* memory = find<Memory>(memobj);
    if (!memory)
      return CL_INVALID_MEM_OBJECT;
    if (!pfn_notify)
      return CL_INVALID_VALUE;
    memory->add_destructor(pfn_notify, user_data);
    return CL_SUCCESS;
  });
}

// CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, CL_INVALID_OPERATION (CL_MEM_DEVICE_ADDRESS_EXT of a
// buffer that has none).
cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name,
                                      size_t param_value_size, void* param_value,
                                      size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* memory = find<Memory>(memobj);
    if (!memory)
      return CL_INVALID_MEM_OBJECT;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_MEM_TYPE:
      return out.put<cl_mem_object_type>(memory->type());
    case CL_MEM_FLAGS:
      return out.put<cl_mem_flags>(memory->flags());
    case CL_MEM_SIZE:
      return out.put<size_t>(memory->size());
    case CL_MEM_HOST_PTR:
      return out.put<void*>(memory->host_pointer());
    case CL_MEM_MAP_COUNT:
      return out.put<cl_uint>(memory->map_count());
    case CL_MEM_REFERENCE_COUNT:
      return out.put<cl_uint>(memory->user_references());
    case CL_MEM_CONTEXT:
      return out.put<cl_context>(static_cast<cl_context>(memory->context().handle()));
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      return out.put<cl_mem>(memory->parent() ? static_cast<cl_mem>(memory->parent()->handle())
                                              : nullptr);
    case CL_MEM_OFFSET:
      return out.put<size_t>(memory->offset());
    case CL_MEM_USES_SVM_POINTER:
      return out.put<cl_bool>(memory->uses_svm_pointer());
    case CL_MEM_DEVICE_ADDRESS_EXT: {
      if (!memory->has_device_address())
        return CL_INVALID_OPERATION;
      const std::vector<cl_mem_device_address_ext> addresses(
          memory->context().devices().size(),
          reinterpret_cast<cl_mem_device_address_ext>(memory->data()));
      return out.put_array<cl_mem_device_address_ext>(addresses);
    }
    case CL_MEM_PROPERTIES:
      return out.put_array(memory->properties());
    default:
      return CL_INVALID_VALUE;
    }
  });
}
