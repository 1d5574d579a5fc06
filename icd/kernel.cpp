// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateKernel, clSetKernelArg and the queries of kernels (OpenCL API 5.9).
#include "runtime/program/kernel.h"

#include "icd/arguments.h"
#include "icd/compat.h"
#include "icd/device_info.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/device/device.h"

#include <string>
#include <type_traits>
#include <vector>

using namespace heddle;

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* kernel_name,
                                     cl_int* errcode_ret) {
  return icd::guarded_create<cl_kernel>(errcode_ret, [&]() -> Result<cl_kernel> {
    auto* object = find<Program>(program);
    if (!object)
      return CL_INVALID_PROGRAM;
    if (const auto error = icd::check_context(&object->context()))
      return error;
    if (!kernel_name)
      return CL_INVALID_VALUE;
    auto kernel = Kernel::create(*object, kernel_name);
    if (!kernel)
      return kernel.error();
    return icd::give_to_user<cl_kernel>(std::move(*kernel));
  });
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                            cl_kernel* kernels, cl_uint* num_kernels_ret) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Program>(program);
    if (!object)
      return CL_INVALID_PROGRAM;
    if (const auto error = icd::check_context(&object->context()))
      return error;
    Ref<LoadedProgram> loaded;
    for (const auto& device : object->devices())
      if (!loaded)
        loaded = object->loaded(*device);
    if (!loaded)
      return CL_INVALID_PROGRAM_EXECUTABLE;
    // Only kernels with the same declaration on all devices (OpenCL API 5.9.1).
    std::vector<Ref<Kernel>> made;
    for (std::size_t i = 0; i < loaded->kernel_count(); ++i) {
      auto kernel = Kernel::create(*object, loaded->kernel(i).name);
      if (kernel)
        made.push_back(std::move(*kernel));
      else if (kernel.error() != CL_INVALID_KERNEL_DEFINITION)
        return kernel.error();
    }
    if (kernels && num_kernels < made.size())
      return CL_INVALID_VALUE;
    for (std::size_t i = 0; kernels && i < made.size(); ++i) {
      auto handle = icd::give_to_user<cl_kernel>(made[i]);
      if (!handle) {
        while (i > 0)
          (void)made[--i]->release_user();
        return handle.error();
      }
      kernels[i] = *handle;
    }
    if (num_kernels_ret)
      *num_kernels_ret = static_cast<cl_uint>(made.size());
    return CL_SUCCESS;
  });
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  return icd::guarded_create<cl_kernel>(errcode_ret, [&]() -> Result<cl_kernel> {
    auto* object = find<Kernel>(source_kernel);
    if (!object)
      return CL_INVALID_KERNEL;
    if (const auto error = icd::check_context(&object->program().context()))
      return error;
    auto copy = object->clone();
    if (!copy)
      return copy.error();
    return icd::give_to_user<cl_kernel>(std::move(*copy));
  });
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return icd::retain_handle<Kernel>(kernel, CL_INVALID_KERNEL);
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return icd::release_handle<Kernel>(kernel, CL_INVALID_KERNEL);
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                  const void* arg_value) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Kernel>(kernel);
    return object ? object->set_argument(arg_index, arg_size, arg_value) : CL_INVALID_KERNEL;
  });
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name,
                                   size_t param_value_size, void* param_value,
                                   size_t* param_value_size_ret) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Kernel>(kernel);
    if (!object)
      return CL_INVALID_KERNEL;
    const icd::InfoOutput out(param_value_size, param_value, param_value_size_ret);
    const auto& declaration = object->declaration();
    switch (param_name) {
    case CL_KERNEL_FUNCTION_NAME:
      return out.put_text(declaration.name);
    case CL_KERNEL_NUM_ARGS:
      return out.put<cl_uint>(static_cast<cl_uint>(declaration.arguments.size()));
    case CL_KERNEL_REFERENCE_COUNT:
      return out.put<cl_uint>(object->user_references());
    case CL_KERNEL_CONTEXT:
      return out.put<cl_context>(static_cast<cl_context>(object->program().context().handle()));
    case CL_KERNEL_PROGRAM:
      return out.put<cl_program>(static_cast<cl_program>(object->program().handle()));
    case CL_KERNEL_ATTRIBUTES:
      return out.put_text(declaration.attributes);
    default:
      return CL_INVALID_VALUE;
    }
  });
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index,
                                      cl_kernel_arg_info param_name, size_t param_value_size,
                                      void* param_value, size_t* param_value_size_ret) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Kernel>(kernel);
    if (!object)
      return CL_INVALID_KERNEL;
    const auto& arguments = object->declaration().arguments;
    if (arg_index >= arguments.size())
      return CL_INVALID_ARG_INDEX;
    const icd::InfoOutput out(param_value_size, param_value, param_value_size_ret);
    const auto& argument = arguments[arg_index];
    switch (param_name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
      return out.put<cl_kernel_arg_address_qualifier>(argument.address_qualifier);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
      return out.put<cl_kernel_arg_access_qualifier>(argument.access_qualifier);
    case CL_KERNEL_ARG_TYPE_NAME:
      return out.put_text(argument.type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
      return out.put<cl_kernel_arg_type_qualifier>(argument.type_qualifier);
    case CL_KERNEL_ARG_NAME:
      return out.put_text(argument.name);
    default:
      return CL_INVALID_VALUE;
    }
  });
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void* param_value,
                                            size_t* param_value_size_ret) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Kernel>(kernel);
    if (!object)
      return CL_INVALID_KERNEL;
    // The device may be null if the kernel is for only one (OpenCL API 5.9.3).
    auto* target =
        device ? find<Device>(device)
               : (object->program().devices().size() == 1 ? object->program().devices()[0].get()
                                                          : nullptr);
    if (!target || !object->is_for(*target))
      return CL_INVALID_DEVICE;
    const icd::InfoOutput out(param_value_size, param_value, param_value_size_ret);
    // What only the compiled kernel tells.
    // What only the compiled kernel tells.
    const auto put_compiled = [&](auto value_of) -> cl_int {
      auto metadata = object->metadata(*target);
      if (!metadata)
        return metadata.error();
      const auto value = value_of(**metadata);
      return out.put<std::remove_const_t<decltype(value)>>(value);
    };
    switch (param_name) {
    case CL_KERNEL_WORK_GROUP_SIZE: {
      object->expect_tuning();
      auto size = object->max_group_size(*target);
      return size ? out.put<size_t>(*size) : size.error();
    }
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
      const auto& required = object->declaration().required_group_size;
      const size_t sizes[3] = {required[0], required[1], required[2]};
      return out.put_bytes(sizes, sizeof sizes);
    }
    case CL_KERNEL_LOCAL_MEM_SIZE: {
      auto bytes = object->local_bytes(*target);
      return bytes ? out.put<cl_ulong>(*bytes) : bytes.error();
    }
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      object->expect_tuning();
      // Programs that cannot tell the size of sub-groups get the device's, whatever is built.
      if (object->has_any_width(*target))
        return out.put<size_t>(icd::preferred_group_multiple());
      return put_compiled(
          [](const KernelMetadata& metadata) -> size_t { return metadata.vector_width; });
    case CL_KERNEL_PRIVATE_MEM_SIZE:
    // What a work-item keeps in memory, spilled or declared so: never 0 if anything is spilled.
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL:
      return put_compiled(
          [](const KernelMetadata& metadata) -> cl_ulong { return metadata.private_bytes; });
    default: // CL_KERNEL_GLOBAL_WORK_SIZE is for built-in kernels and custom devices
      return CL_INVALID_VALUE;
    }
  });
}
