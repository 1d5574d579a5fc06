// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/semaphore_options.h"

#include <vector>

namespace heddle::icd {
namespace {

// Appends the property at `entry`, whose value is a list with a terminating zero. Returns where the
// next one begins.
const cl_semaphore_properties_khr* copy_list(const cl_semaphore_properties_khr* entry,
                                             std::vector<cl_properties>& copy) {
  copy.push_back(*entry++);
  while (*entry)
    copy.push_back(*entry++);
  copy.push_back(0);
  return entry + 1;
}

// CL_INVALID_DEVICE.
cl_int read_devices(const Context& context, const cl_semaphore_properties_khr* list,
                    std::vector<ParentRef<Device>>& devices) {
  for (; *list; ++list) {
    auto* device = find<Device>(reinterpret_cast<const void*>(*list));
    if (!device || !context.has(device) || !devices.empty())
      return CL_INVALID_DEVICE;
    devices.emplace_back(device);
  }
  return devices.empty() ? CL_INVALID_DEVICE : CL_SUCCESS;
}

bool is_handle(cl_semaphore_properties_khr name) {
  return name == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR || name == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
}

// CL_INVALID_PROPERTY for types that are not known, CL_INVALID_VALUE for more than one.
cl_int read_export_types(const cl_semaphore_properties_khr* list, std::vector<cl_uint>& types) {
  for (; *list; ++list) {
    if (!is_handle(*list))
      return CL_INVALID_PROPERTY;
    types.push_back(static_cast<cl_uint>(*list));
  }
  return types.size() > 1 ? CL_INVALID_VALUE : CL_SUCCESS;
}

} // namespace

Result<Semaphore::Options> read_semaphore_options(const Context& context,
                                                  const cl_semaphore_properties_khr* list) {
  if (!list)
    return CL_INVALID_VALUE;
  Semaphore::Options options;
  bool has_type = false;
  bool has_devices = false;
  bool has_exports = false;
  cl_int device_error = CL_SUCCESS;
  while (*list) {
    switch (*list) {
    case CL_SEMAPHORE_TYPE_KHR:
      if (has_type || list[1] != CL_SEMAPHORE_TYPE_BINARY_KHR)
        return CL_INVALID_PROPERTY;
      has_type = true;
      options.properties.insert(options.properties.end(), list, list + 2);
      list += 2;
      break;
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
      if (has_devices)
        return CL_INVALID_PROPERTY;
      has_devices = true;
      device_error = read_devices(context, list + 1, options.devices);
      list = copy_list(list, options.properties);
      break;
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
      if (has_exports)
        return CL_INVALID_PROPERTY;
      has_exports = true;
      if (const auto error = read_export_types(list + 1, options.export_types))
        return error;
      list = copy_list(list, options.properties);
      break;
    case CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR:
    case CL_SEMAPHORE_HANDLE_SYNC_FD_KHR:
      if (options.import)
        return CL_INVALID_PROPERTY;
      options.import = {static_cast<cl_uint>(list[0]), static_cast<int>(list[1])};
      options.properties.insert(options.properties.end(), list, list + 2);
      list += 2;
      break;
    default:
      return CL_INVALID_PROPERTY;
    }
  }
  options.properties.push_back(0);
  if (!has_type)
    return CL_INVALID_VALUE;
  if (options.import && has_exports)
    return CL_INVALID_OPERATION;
  if (device_error)
    return device_error;
  if (!has_devices) {
    if (context.devices().size() > 1)
      return CL_INVALID_PROPERTY;
    options.devices.assign(context.devices().begin(), context.devices().end());
  }
  return options;
}

} // namespace heddle::icd
