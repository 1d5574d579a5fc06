// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetKernelSubGroupInfo (OpenCL API 5.9.4).
#include "icd/arguments.h"
#include "icd/compat.h"
#include "icd/device_info.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/device/device.h"
#include "runtime/device/limits.h"
#include "runtime/program/kernel.h"

#include <algorithm>
#include <optional>

using namespace heddle;

namespace {

// The number of work-items of the local size in the query's input; nothing if that is not a valid
// local size.
std::optional<size_t> input_items(size_t bytes, const void* value) {
  const auto* sizes = static_cast<const size_t*>(value);
  const auto dimensions = bytes / sizeof(size_t);
  if (!sizes || bytes % sizeof(size_t) != 0 || dimensions < 1 || dimensions > 3)
    return std::nullopt;
  size_t items = 1;
  for (size_t d = 0; d < dimensions; ++d) {
    if (sizes[d] == 0 || sizes[d] > limits::kWorkGroupSize)
      return std::nullopt;
    items *= sizes[d]; // at most 2^36
  }
  return items;
}

// A local size with this many sub-groups, in at most as many dimensions as the result has room for;
// zeros if there is none.
cl_int put_local_size(const KernelDeclaration& kernel, size_t width, size_t most, size_t count,
                      const icd::InfoOutput& out) {
  const auto& required = kernel.required_group_size;
  size_t sizes[3] = {0, 0, 0};
  if (required[0] != 0) {
    const auto items = required[0] * required[1] * required[2];
    if ((items + width - 1) / width == count)
      std::copy(required.begin(), required.end(), sizes);
  } else if (count != 0 && count <= most / width) {
    sizes[0] = count * width;
    sizes[1] = sizes[2] = 1;
  }
  if (!out.has_value())
    return out.put_bytes(sizes, sizeof sizes);
  const auto dimensions = std::min<size_t>(out.size() / sizeof(size_t), 3);
  if (dimensions == 0)
    return CL_INVALID_VALUE;
  for (size_t d = dimensions; d < 3; ++d)
    if (sizes[d] > 1)
      sizes[0] = sizes[1] = 0; // none with so few dimensions
  return out.put_bytes(sizes, dimensions * sizeof(size_t));
}

} // namespace

// CL_INVALID_KERNEL; CL_INVALID_DEVICE if the kernel is not for `device`, or is for several and
// `device` is null; CL_INVALID_VALUE for unknown names, inputs of a wrong size and results that do
// not fit. All sub-groups of a group but its last have the kernel's width.
cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                           cl_kernel_sub_group_info param_name,
                                           size_t input_value_size, const void* input_value,
                                           size_t param_value_size, void* param_value,
                                           size_t* param_value_size_ret) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Kernel>(kernel);
    if (!object)
      return CL_INVALID_KERNEL;
    const auto& devices = object->program().devices();
    auto* target =
        device ? find<Device>(device) : (devices.size() == 1 ? devices[0].get() : nullptr);
    if (!target || !object->has(*target))
      return CL_INVALID_DEVICE;
    const icd::InfoOutput out(param_value_size, param_value, param_value_size_ret);
    if (param_name == CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL)
      return out.put<size_t>(object->declaration().required_sub_group_size);
    if (param_name == CL_KERNEL_COMPILE_NUM_SUB_GROUPS) // OpenCL C has no attribute for it
      return out.put<size_t>(0);
    // Of kernels that cannot tell, what the device prefers, whatever is built.
    size_t width = icd::preferred_group_multiple();
    if (!object->has_any_width(*target)) {
      auto compiled = object->metadata(*target);
      if (!compiled)
        return compiled.error();
      width = (*compiled)->vector_width;
    }
    auto most = object->max_group_size(*target);
    if (!most)
      return most.error();
    switch (param_name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
      return input_items(input_value_size, input_value) ? out.put<size_t>(width) : CL_INVALID_VALUE;
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
      const auto items = input_items(input_value_size, input_value);
      return items ? out.put<size_t>((*items + width - 1) / width) : CL_INVALID_VALUE;
    }
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
      if (!input_value || input_value_size != sizeof(size_t))
        return CL_INVALID_VALUE;
      return put_local_size(object->declaration(), width, *most,
                            *static_cast<const size_t*>(input_value), out);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
      return out.put<size_t>((*most + width - 1) / width);
    default:
      return CL_INVALID_VALUE;
    }
  });
}

// The name of cl_khr_subgroups and cl_intel_subgroups.
cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_sub_group_info param_name,
                                              size_t input_value_size, const void* input_value,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return clGetKernelSubGroupInfo(kernel, device, param_name, input_value_size, input_value,
                                 param_value_size, param_value, param_value_size_ret);
}
