// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts (OpenCL API 4.4).
#include "runtime/context/context.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/device/platform.h"
#include "runtime/execution/termination.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::icd;

namespace {

// Parses the list of properties.
cl_int read_properties(const cl_context_properties* list,
                       std::vector<cl_context_properties>& properties) {
  if (!list)
    return CL_SUCCESS;
  bool has_platform = false;
  bool has_sync = false;
  bool has_initialize = false;
  bool has_terminate = false;
  for (; *list; list += 2) {
    switch (list[0]) {
    case CL_CONTEXT_PLATFORM:
      if (has_platform)
        return CL_INVALID_PROPERTY;
      has_platform = true;
      if (!find<Platform>(reinterpret_cast<const void*>(list[1])))
        return CL_INVALID_PLATFORM;
      break;
    case CL_CONTEXT_INTEROP_USER_SYNC:
      if (has_sync || (list[1] != CL_TRUE && list[1] != CL_FALSE))
        return CL_INVALID_PROPERTY;
      has_sync = true;
      break;
    case CL_CONTEXT_MEMORY_INITIALIZE_KHR:
      if (has_initialize ||
          (list[1] & ~cl_context_properties{CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR |
                                            CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR}))
        return CL_INVALID_PROPERTY;
      has_initialize = true;
      break;
    case CL_CONTEXT_TERMINATE_KHR:
      if (has_terminate || (list[1] != CL_TRUE && list[1] != CL_FALSE))
        return CL_INVALID_PROPERTY;
      has_terminate = true;
      break;
    default:
      return CL_INVALID_PROPERTY;
    }
    properties.push_back(list[0]);
    properties.push_back(list[1]);
  }
  properties.push_back(0);
  return CL_SUCCESS;
}

Result<cl_context> create(const cl_context_properties* property_list,
                          const std::vector<Device*>& devices, Context::Notify notify,
                          void* user_data) {
  std::vector<cl_context_properties> properties;
  if (const auto error = read_properties(property_list, properties))
    return error;
  if (!notify && user_data)
    return CL_INVALID_VALUE;
  std::vector<ParentRef<Device>> kept;
  for (auto* device : devices)
    if (std::none_of(kept.begin(), kept.end(), [&](auto& k) { return k.get() == device; }))
      kept.emplace_back(device);
  return give_to_user<cl_context>(
      make_ref<Context>(std::move(kept), std::move(properties), notify, user_data));
}

} // namespace

// CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_VALUE, CL_INVALID_DEVICE,
// CL_OUT_OF_HOST_MEMORY.
cl_context CL_API_CALL clCreateContext(const cl_context_properties* properties, cl_uint num_devices,
                                       const cl_device_id* devices,
                                       void(CL_CALLBACK* pfn_notify)(const char*, const void*,
                                                                     size_t, void*),
                                       void* user_data, cl_int* errcode_ret) {
  return guarded_create<cl_context>(errcode_ret, [&]() -> Result<cl_context> {
    if (!devices || num_devices == 0)
      return CL_INVALID_VALUE;
    std::vector<Device*> found;
    for (cl_uint i = 0; i < num_devices; ++i) {
      found.push_back(find<Device>(devices[i]));
      if (!found.back())
        return CL_INVALID_DEVICE;
    }
    return create(properties, found, pfn_notify, user_data);
  });
}

// As clCreateContext, and CL_INVALID_DEVICE_TYPE, CL_DEVICE_NOT_FOUND.
cl_context CL_API_CALL
clCreateContextFromType(const cl_context_properties* properties, cl_device_type device_type,
                        void(CL_CALLBACK* pfn_notify)(const char*, const void*, size_t, void*),
                        void* user_data, cl_int* errcode_ret) {
  return guarded_create<cl_context>(errcode_ret, [&]() -> Result<cl_context> {
    cl_device_id device = nullptr;
    auto* platform = Platform::get();
    if (!platform)
      return CL_OUT_OF_HOST_MEMORY;
    std::vector<cl_context_properties> checked;
    if (const auto error = read_properties(properties, checked))
      return error;
    if (const auto error = clGetDeviceIDs(static_cast<cl_platform_id>(platform->handle()),
                                          device_type, 1, &device, nullptr))
      return error;
    return create(properties, {&platform->device()}, pfn_notify, user_data);
  });
}

cl_int CL_API_CALL clRetainContext(cl_context context) {
  return retain_handle<Context>(context, CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return release_handle<Context>(context, CL_INVALID_CONTEXT);
}

// CL_INVALID_CONTEXT, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name,
                                    size_t param_value_size, void* param_value,
                                    size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* object = find<Context>(context);
    if (!object)
      return CL_INVALID_CONTEXT;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_CONTEXT_REFERENCE_COUNT:
      return out.put<cl_uint>(object->user_references());
    case CL_CONTEXT_NUM_DEVICES:
      return out.put<cl_uint>(static_cast<cl_uint>(object->devices().size()));
    case CL_CONTEXT_DEVICES: {
      std::vector<cl_device_id> handles;
      for (const auto& device : object->devices())
        handles.push_back(static_cast<cl_device_id>(device->handle()));
      return out.put_array<cl_device_id>(handles);
    }
    case CL_CONTEXT_PROPERTIES:
      return out.put_array(object->properties());
    default:
      return CL_INVALID_VALUE;
    }
  });
}

// CL_INVALID_CONTEXT, CL_INVALID_VALUE.
cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  void(CL_CALLBACK* pfn_notify)(cl_context, void*),
                                                  void* user_data) {
  return guarded([&]() -> cl_int {
    auto* object = find<Context>(context);
    if (const auto error = check_context(object))
      return error;
    if (!pfn_notify)
      return CL_INVALID_VALUE;
    object->add_destructor(pfn_notify, user_data);
    return CL_SUCCESS;
  });
}

// CL_INVALID_CONTEXT, CL_CONTEXT_TERMINATED_KHR, CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clTerminateContextKHR(cl_context context) {
  return guarded([&]() -> cl_int {
    auto* object = find<Context>(context);
    return object ? terminate(*object) : CL_INVALID_CONTEXT;
  });
}
