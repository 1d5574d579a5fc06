// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded kernels: clCommandNDRangeKernelKHR, and their updates and queries
// (cl_khr_command_buffer_mutable_dispatch).
#include "icd/arguments.h"
#include "icd/command_buffer_entries.h"
#include "icd/info.h"
#include "icd/launch_range.h"
#include "icd/recorder.h"
#include "runtime/command_buffer/recorded_kernel.h"
#include "runtime/device/limits.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace heddle::icd::command_buffers {
namespace {

struct DispatchOptions {
  RecordedKernel::Options kernel;
  cl_bitfield asserts = 0;
  bool may_lack_arguments = false; // until an update sets them
};

// CL_INVALID_VALUE, CL_INVALID_OPERATION.
cl_int read_options(const khr::Properties* properties, bool is_mutable, DispatchOptions& options) {
  options.kernel.updatable_fields = is_mutable ? cl_bitfield{khr::kAllFields} : 0;
  if (!properties)
    return CL_SUCCESS;
  bool has_fields = false;
  bool has_asserts = false;
  for (const auto* entry = properties; *entry; entry += 2) {
    if (entry[0] == khr::kUpdatableFields && !has_fields) {
      has_fields = true;
      if (entry[1] & ~khr::kAllFields)
        return CL_INVALID_VALUE;
      options.kernel.updatable_fields = is_mutable ? entry[1] : 0;
      options.may_lack_arguments = is_mutable && (entry[1] & khr::kArguments) != 0;
    } else if (entry[0] == khr::kDispatchAsserts && !has_asserts) {
      has_asserts = true;
      options.asserts = entry[1];
      if (options.asserts & ~khr::kAssertNoAdditionalGroups)
        return CL_INVALID_VALUE;
    } else {
      return CL_INVALID_VALUE;
    }
    options.kernel.properties.insert(options.kernel.properties.end(), {entry[0], entry[1]});
  }
  options.kernel.properties.push_back(0);
  return CL_SUCCESS;
}

// A group that is larger than the kernel's code allows, which only kernels with barriers limit.
cl_int check_group(const Kernel& kernel, const Device& device, const NDRange& range) {
  const auto& size = range.local_size;
  if (!kernel.declaration().may_have_barrier)
    return CL_SUCCESS;
  auto most = kernel.max_group_size(device);
  if (!most)
    return most.error();
  return size[0] * size[1] * size[2] > *most ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

bool is_uniform(const NDRange& range) {
  for (int d = 0; d < 3; ++d)
    if (range.global_size[d] % range.local_size[d] != 0)
      return false;
  return true;
}

} // namespace

// The errors of Recorder::check() and of clEnqueueNDRangeKernel, but for queue and events.
cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    khr::CommandBufferHandle command_buffer, cl_command_queue command_queue,
    const khr::Properties* properties, cl_kernel kernel, cl_uint work_dim,
    const size_t* global_work_offset, const size_t* global_work_size, const size_t* local_work_size,
    cl_uint sync_point_count, const khr::SyncPoint* sync_points, khr::SyncPoint* sync_point,
    khr::CommandHandle* handle) {
  return guarded([&]() -> cl_int {
    Recorder recorder({command_buffer, command_queue, properties, sync_point_count, sync_points,
                       sync_point, handle});
    if (const auto error = recorder.check(true))
      return error;
    const auto& buffer = recorder.buffer();
    DispatchOptions options;
    if (const auto error = read_options(properties, buffer.is_mutable(), options))
      return error;
    if (((options.asserts | buffer.options().asserts) & khr::kAssertNoAdditionalGroups) &&
        !local_work_size)
      return CL_INVALID_VALUE;
    auto* object = find<Kernel>(kernel);
    if (!object)
      return CL_INVALID_KERNEL;
    if (&object->program().context() != &buffer.context())
      return CL_INVALID_CONTEXT;
    auto& device = recorder.queue().device();
    if (!object->has(device))
      return CL_INVALID_PROGRAM_EXECUTABLE;
    RecordedKernel::Range range;
    range.has_local = local_work_size != nullptr;
    if (const auto error = make_range(*object, device, work_dim, global_work_offset,
                                      global_work_size, local_work_size, range.sizes))
      return error;
    const bool is_complete = object->has_all_arguments();
    if (is_complete) // before anything is waited for
      object->expect_launch(device, range.sizes);
    if (const auto error = check_group(*object, device, range.sizes))
      return error;
    if (!options.may_lack_arguments && !is_complete)
      return CL_INVALID_KERNEL_ARGS;
    auto made = RecordedKernel::create(*object, device, range, std::move(options.kernel));
    if (!made)
      return made.error();
    RecordedCommand command(CL_COMMAND_NDRANGE_KERNEL, recorder.queue_index());
    command.kernel = std::move(*made);
    return recorder.record(std::move(command));
  });
}

namespace {

// One element of an update, which is checked as a whole before any is applied.
struct Update {
  const khr::DispatchConfig* config;
  std::uint32_t command;
  RecordedKernel* kernel;
  std::optional<RecordedKernel::Range> range; // the new one
};

template <class Entry>
bool matches(cl_uint count, const Entry* list) {
  return (count == 0) == (list == nullptr);
}

cl_int check_arguments(const khr::DispatchConfig& config, const RecordedKernel& recorded) {
  const auto& kernel = recorded.kernel();
  for (const auto& argument : std::span(config.arg_list, config.num_args))
    if (const auto error =
            kernel.check_argument(argument.arg_index, argument.arg_size, argument.arg_value))
      return error;
  for (const auto& argument : std::span(config.arg_svm_list, config.num_svm_args))
    if (const auto error = kernel.check_pointer(argument.arg_index, true))
      return error;
  if (config.num_exec_infos != 0) {
    ExecInfo checked;
    for (const auto& info : std::span(config.exec_info_list, config.num_exec_infos))
      if (const auto error = checked.set(info.param_name, info.param_value_size, info.param_value))
        return error;
  }
  return CL_SUCCESS;
}

bool changes_sizes(const khr::DispatchConfig& config) {
  return config.global_work_offset || config.global_work_size || config.local_work_size;
}

// The new sizes: those that are not given stay.
cl_int make_range(const khr::DispatchConfig& config, const RecordedKernel& recorded,
                  RecordedKernel::Range& range) {
  const auto& before = recorded.range();
  const auto& sizes = before.sizes;
  range = before;
  const auto* offset = config.global_work_offset ? config.global_work_offset : sizes.global_offset;
  const auto* global = config.global_work_size ? config.global_work_size : sizes.global_size;
  const auto* local = config.local_work_size ? config.local_work_size
                      : before.has_local     ? sizes.local_size
                                             : nullptr;
  range.has_local = local != nullptr;
  if (local) {
    auto after = sizes;
    for (cl_uint d = 0; d < sizes.work_dim; ++d) {
      if (local[d] == 0)
        return CL_INVALID_WORK_GROUP_SIZE;
      after.global_size[d] = global[d];
      after.local_size[d] = local[d];
    }
    if (is_uniform(after) != is_uniform(sizes))
      return CL_INVALID_OPERATION;
  }
  const auto& kernel = recorded.kernel();
  if (const auto error = icd::make_range(kernel, recorded.device(), sizes.work_dim, offset, global,
                                         local, range.sizes))
    return error;
  return check_group(kernel, recorded.device(), range.sizes);
}

cl_int check(Update& update) {
  const auto& config = *update.config;
  const auto fields = update.kernel->options().updatable_fields;
  const auto lacks = [&](bool is_given, cl_bitfield field) {
    return is_given && !(fields & field);
  };
  if (lacks(config.global_work_offset, khr::kGlobalOffset) ||
      lacks(config.global_work_size, khr::kGlobalSize) ||
      lacks(config.local_work_size, khr::kLocalSize) ||
      lacks(config.num_args != 0 || config.num_svm_args != 0, khr::kArguments) ||
      lacks(config.num_exec_infos != 0, khr::kExecInfo))
    return CL_INVALID_OPERATION;
  if (!matches(config.num_args, config.arg_list) ||
      !matches(config.num_svm_args, config.arg_svm_list) ||
      !matches(config.num_exec_infos, config.exec_info_list))
    return CL_INVALID_VALUE;
  if (const auto error = check_arguments(config, *update.kernel))
    return error;
  if (config.work_dim != 0 && config.work_dim != update.kernel->range().sizes.work_dim)
    return CL_INVALID_OPERATION;
  return changes_sizes(config) ? make_range(config, *update.kernel, update.range.emplace())
                               : CL_SUCCESS;
}

// Whether nothing but values of arguments changes.
bool changes_values(const Update& update) {
  const auto& config = *update.config;
  if (config.num_svm_args != 0 || config.num_exec_infos != 0 || changes_sizes(config))
    return false;
  const auto& declared = update.kernel->kernel().declaration().arguments;
  return std::ranges::all_of(std::span(config.arg_list, config.num_args),
                             [&](const khr::DispatchArgument& argument) {
                               return declared[argument.arg_index].kind == ArgumentKind::value;
                             });
}

// What check() has found valid fails for lack of memory alone.
cl_int apply(CommandBuffer& buffer, const Update& update) {
  auto& kernel = update.kernel->kernel();
  const auto& config = *update.config;
  for (const auto& argument : std::span(config.arg_list, config.num_args))
    kernel.set_checked_argument(argument.arg_index, argument.arg_size, argument.arg_value);
  for (const auto& argument : std::span(config.arg_svm_list, config.num_svm_args))
    if (const auto error = kernel.set_pointer(argument.arg_index, argument.arg_value, true))
      return error;
  for (const auto& info : std::span(config.exec_info_list, config.num_exec_infos))
    if (const auto error =
            kernel.set_exec_info(info.param_name, info.param_value_size, info.param_value))
      return error;
  if (update.range)
    update.kernel->set_range(*update.range);
  buffer.set_changed(update.command, changes_values(update) ? RecordedKernel::Change::values
                                                            : RecordedKernel::Change::all);
  return CL_SUCCESS;
}

} // namespace

// CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_OPERATION, CL_INVALID_VALUE,
// CL_INVALID_MUTABLE_COMMAND_KHR, the errors of clEnqueueNDRangeKernel, clSetKernelArg,
// clSetKernelArgSVMPointer and clSetKernelExecInfo, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clUpdateMutableCommandsKHR(khr::CommandBufferHandle command_buffer,
                                              cl_uint num_configs, const cl_uint* config_types,
                                              const void** configs) {
  return guarded([&]() -> cl_int {
    auto* buffer = find<CommandBuffer>(command_buffer);
    if (!buffer)
      return khr::kInvalidCommandBuffer;
    if (buffer->is_recording() || !buffer->is_mutable())
      return CL_INVALID_OPERATION;
    if (!matches(num_configs, config_types) || !matches(num_configs, configs))
      return CL_INVALID_VALUE;
    Update one; // what most updates have
    std::vector<Update> several(num_configs > 1 ? num_configs : 0);
    const auto updates = num_configs == 1 ? std::span(&one, 1) : std::span(several);
    for (cl_uint i = 0; i < num_configs; ++i) {
      if (config_types[i] != khr::kUpdateDispatch || !configs[i])
        return CL_INVALID_VALUE;
      const auto* config = static_cast<const khr::DispatchConfig*>(configs[i]);
      const auto* handle = find<CommandHandle>(config->command);
      if (!handle || &handle->buffer() != buffer)
        return khr::kInvalidMutableCommand;
      auto& update = updates[i];
      update.config = config;
      update.command = handle->index();
      update.kernel = &buffer->kernel(update.command);
      if (const auto error = check(update))
        return error;
    }
    for (const auto& update : updates)
      if (const auto error = apply(*buffer, update))
        return error;
    return CL_SUCCESS;
  });
}

// CL_INVALID_MUTABLE_COMMAND_KHR, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetMutableCommandInfoKHR(khr::CommandHandle command, cl_uint param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    const auto* handle = find<CommandHandle>(command);
    if (!handle)
      return khr::kInvalidMutableCommand;
    auto& buffer = handle->buffer();
    auto& kernel = buffer.kernel(handle->index());
    const auto& sizes = kernel.range().sizes;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    const auto put_sizes = [&](const size_t(&values)[3]) {
      return out.put_array<size_t>(std::span(values, sizes.work_dim));
    };
    switch (param_name) {
    case khr::kCommandQueue:
      return out.put<cl_command_queue>(
          static_cast<cl_command_queue>(buffer.queue_of(handle->index()).handle()));
    case khr::kCommandBuffer:
      return out.put<khr::CommandBufferHandle>(
          static_cast<khr::CommandBufferHandle>(buffer.handle()));
    case khr::kCommandType:
      return out.put<cl_command_type>(buffer.type(handle->index()));
    case khr::kCommandProperties:
      return out.put_array<khr::Properties>(kernel.options().properties);
    case khr::kDispatchKernel:
      return out.put<cl_kernel>(static_cast<cl_kernel>(kernel.original().handle()));
    case khr::kDispatchDimensions:
      return out.put<cl_uint>(sizes.work_dim);
    case khr::kDispatchGlobalOffset:
      return put_sizes(sizes.global_offset);
    case khr::kDispatchGlobalSize:
      return put_sizes(sizes.global_size);
    case khr::kDispatchLocalSize: {
      const size_t unset[3] = {0, 0, 0};
      return put_sizes(kernel.range().has_local ? sizes.local_size : unset);
    }
    default:
      return CL_INVALID_VALUE;
    }
  });
}

} // namespace heddle::icd::command_buffers
