// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers (cl_khr_command_buffer): creation, finalization, replays and queries.
#include "runtime/command_buffer/command_buffer.h"

#include "icd/arguments.h"
#include "icd/command_buffer_entries.h"
#include "icd/info.h"

#include <vector>

namespace heddle::icd::command_buffers {
namespace {

constexpr cl_bitfield kKnownFlags = khr::kSimultaneousUse | khr::kMutable | khr::kDeviceSideSync;

// CL_INVALID_VALUE for properties that are unknown or given twice, and for unknown values.
cl_int read_options(const khr::Properties* properties, CommandBuffer::Options& options) {
  if (!properties)
    return CL_SUCCESS;
  bool has_flags = false;
  bool has_asserts = false;
  for (const auto* entry = properties; *entry; entry += 2) {
    if (entry[0] == khr::kFlags && !has_flags) {
      has_flags = true;
      options.flags = entry[1];
      if (options.flags & ~kKnownFlags)
        return CL_INVALID_VALUE;
    } else if (entry[0] == khr::kBufferAsserts && !has_asserts) {
      has_asserts = true;
      options.asserts = entry[1];
      if (options.asserts & ~khr::kAssertNoAdditionalGroups)
        return CL_INVALID_VALUE;
    } else {
      return CL_INVALID_VALUE;
    }
    options.properties.insert(options.properties.end(), {entry[0], entry[1]});
  }
  options.properties.push_back(0);
  return CL_SUCCESS;
}

// CL_INVALID_VALUE, CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT.
cl_int find_queues(cl_uint count, const cl_command_queue* handles,
                   std::vector<ParentRef<Queue>>& queues) {
  if (count == 0 || !handles)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    auto* queue = find<Queue>(handles[i]);
    if (!queue)
      return CL_INVALID_COMMAND_QUEUE;
    queues.emplace_back(queue);
  }
  for (const auto& queue : queues)
    if (&queue->context() != &queues.front()->context())
      return CL_INVALID_CONTEXT;
  return CL_SUCCESS;
}

} // namespace

// CL_INVALID_VALUE, CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_OUT_OF_HOST_MEMORY. All
// devices support all properties, and can synchronize with each other.
khr::CommandBufferHandle CL_API_CALL clCreateCommandBufferKHR(cl_uint num_queues,
                                                              const cl_command_queue* queues,
                                                              const khr::Properties* properties,
                                                              cl_int* errcode_ret) {
  return guarded_create<khr::CommandBufferHandle>(
      errcode_ret, [&]() -> Result<khr::CommandBufferHandle> {
        std::vector<ParentRef<Queue>> found;
        if (const auto error = find_queues(num_queues, queues, found))
          return error;
        if (const auto error = check_context(&found.front()->context()))
          return error;
        CommandBuffer::Options options;
        if (const auto error = read_options(properties, options))
          return error;
        return give_to_user<khr::CommandBufferHandle>(
            Ref<CommandBuffer>::adopt(new CommandBuffer(std::move(found), std::move(options))));
      });
}

cl_int CL_API_CALL clRetainCommandBufferKHR(khr::CommandBufferHandle command_buffer) {
  return retain_handle<CommandBuffer>(command_buffer, khr::kInvalidCommandBuffer);
}

cl_int CL_API_CALL clReleaseCommandBufferKHR(khr::CommandBufferHandle command_buffer) {
  return release_handle<CommandBuffer>(command_buffer, khr::kInvalidCommandBuffer);
}

// CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_OPERATION, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clFinalizeCommandBufferKHR(khr::CommandBufferHandle command_buffer) {
  return guarded([&]() -> cl_int {
    auto* buffer = find<CommandBuffer>(command_buffer);
    return buffer ? buffer->finalize() : cl_int{khr::kInvalidCommandBuffer};
  });
}

// CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_INVALID_COMMAND_QUEUE,
// CL_INVALID_DEVICE, CL_INVALID_CONTEXT, CL_INVALID_EVENT_WAIT_LIST, CL_OUT_OF_RESOURCES,
// CL_OUT_OF_HOST_MEMORY. Host queues of all properties are supported.
cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             khr::CommandBufferHandle command_buffer,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event) {
  return guarded([&]() -> cl_int {
    auto* buffer = find<CommandBuffer>(command_buffer);
    if (!buffer)
      return khr::kInvalidCommandBuffer;
    if (buffer->state() != khr::kStateExecutable)
      return CL_INVALID_OPERATION;
    const auto own = buffer->queues();
    if ((queues == nullptr) != (num_queues == 0) || (num_queues != 0 && num_queues != own.size()))
      return CL_INVALID_VALUE;
    std::vector<Queue*> substitutes;
    for (cl_uint i = 0; i < num_queues; ++i) {
      auto* queue = find<Queue>(queues[i]);
      if (!queue)
        return CL_INVALID_COMMAND_QUEUE;
      if (&queue->context() != &own[i]->context())
        return CL_INVALID_CONTEXT;
      if (&queue->device() != &own[i]->device())
        return CL_INVALID_DEVICE;
      substitutes.push_back(queue);
    }
    WaitList waits;
    if (const auto error = waits.check(num_events_in_wait_list, event_wait_list, buffer->context()))
      return error;
    return buffer->enqueue(substitutes, waits.events(), event);
  });
}

// CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetCommandBufferInfoKHR(khr::CommandBufferHandle command_buffer,
                                             cl_uint param_name, size_t param_value_size,
                                             void* param_value, size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* buffer = find<CommandBuffer>(command_buffer);
    if (!buffer)
      return khr::kInvalidCommandBuffer;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case khr::kBufferNumQueues:
      return out.put<cl_uint>(static_cast<cl_uint>(buffer->queues().size()));
    case khr::kBufferQueues: {
      std::vector<cl_command_queue> handles;
      for (const auto& queue : buffer->queues())
        handles.push_back(static_cast<cl_command_queue>(queue->handle()));
      return out.put_array<cl_command_queue>(handles);
    }
    case khr::kBufferReferenceCount:
      return out.put<cl_uint>(buffer->user_references());
    case khr::kBufferState:
      return out.put<cl_uint>(buffer->state());
    case khr::kBufferProperties:
      return out.put_array<khr::Properties>(buffer->options().properties);
    case khr::kBufferContext:
      return out.put<cl_context>(static_cast<cl_context>(buffer->context().handle()));
    default:
      return CL_INVALID_VALUE;
    }
  });
}

// CL_INVALID_COMMAND_BUFFER_KHR, CL_INVALID_VALUE, CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT,
// CL_OUT_OF_HOST_MEMORY, and the errors of launches if a kernel cannot run on a new device.
khr::CommandBufferHandle CL_API_CALL clRemapCommandBufferKHR(
    khr::CommandBufferHandle command_buffer, cl_bool automatic, cl_uint num_queues,
    const cl_command_queue* queues, cl_uint num_handles, const khr::CommandHandle* handles,
    khr::CommandHandle* handles_ret, cl_int* errcode_ret) {
  return guarded_create<khr::CommandBufferHandle>(
      errcode_ret, [&]() -> Result<khr::CommandBufferHandle> {
        auto* buffer = find<CommandBuffer>(command_buffer);
        if (!buffer)
          return cl_int{khr::kInvalidCommandBuffer};
        if (const auto error = check_context(&buffer->queues().front()->context()))
          return error;
        if (num_queues == 0 || !queues || (!automatic && num_queues != buffer->queues().size()) ||
            (handles == nullptr) != (num_handles == 0) ||
            (handles_ret == nullptr) != (num_handles == 0))
          return CL_INVALID_VALUE;
        std::vector<std::uint32_t> commands;
        for (cl_uint i = 0; i < num_handles; ++i) {
          const auto* handle = find<CommandHandle>(handles[i]);
          if (!handle || &handle->buffer() != buffer)
            return CL_INVALID_VALUE;
          commands.push_back(handle->index());
        }
        std::vector<ParentRef<Queue>> found;
        if (const auto error = find_queues(num_queues, queues, found))
          return error;
        if (&found.front()->context() != &buffer->context())
          return CL_INVALID_CONTEXT;
        auto made = buffer->remap(std::move(found), automatic != CL_FALSE);
        if (!made)
          return made.error();
        std::vector<khr::CommandHandle> copies;
        for (const auto command : commands) {
          auto handle = (*made)->make_handle(command);
          if (!handle)
            return handle.error();
          copies.push_back(static_cast<khr::CommandHandle>(*handle));
        }
        auto given = give_to_user<khr::CommandBufferHandle>(std::move(*made));
        if (given)
          std::ranges::copy(copies, handles_ret);
        return given;
      });
}

} // namespace heddle::icd::command_buffers
