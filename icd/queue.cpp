// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command queues (OpenCL API 5.1, 5.15).
#include "runtime/execution/queue.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/execution/device_executor.h"

using namespace heddle;
using namespace heddle::icd;

namespace {

constexpr cl_command_queue_properties kHostFlags =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceFlags =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

// CL_INVALID_VALUE for invalid properties, CL_INVALID_QUEUE_PROPERTIES for those that the device
// does not support.
cl_int check_flags(cl_command_queue_properties flags) {
  if (flags & ~(kHostFlags | kDeviceFlags))
    return CL_INVALID_VALUE;
  if (flags & kDeviceFlags) {
    // A device queue must be out of order; a default queue must be a device queue.
    const bool sound =
        (flags & CL_QUEUE_ON_DEVICE) && (flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    return sound ? CL_INVALID_QUEUE_PROPERTIES : CL_INVALID_VALUE;
  }
  return CL_SUCCESS;
}

Result<cl_command_queue> create(cl_context context, cl_device_id device,
                                cl_command_queue_properties flags,
                                std::vector<cl_queue_properties> properties) {
  auto* owner = find<Context>(context);
  auto* unit = find<Device>(device);
  // Creates the executor, so that a failure to start threads is an error of this call and not of
  // the first command.
  (void)executor_of(*unit);
  return give_to_user<cl_command_queue>(
      make_ref<Queue>(*owner, *unit, flags, std::move(properties)));
}

cl_int check_handles(cl_context context, cl_device_id device) {
  auto* owner = find<Context>(context);
  if (!owner)
    return CL_INVALID_CONTEXT;
  auto* unit = find<Device>(device);
  return unit && owner->has(unit) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

} // namespace

// CL_INVALID_CONTEXT, CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_QUEUE_PROPERTIES,
// CL_OUT_OF_HOST_MEMORY.
cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties* properties, cl_int* errcode_ret) {
  return guarded_create<cl_command_queue>(errcode_ret, [&]() -> Result<cl_command_queue> {
    if (const auto error = check_handles(context, device))
      return error;
    cl_command_queue_properties flags = 0;
    bool has_flags = false;
    bool has_size = false;
    std::vector<cl_queue_properties> kept;
    if (properties) {
      for (const auto* entry = properties; *entry; entry += 2) {
        if (entry[0] == CL_QUEUE_PROPERTIES && !has_flags) {
          has_flags = true;
          flags = entry[1];
        } else if (entry[0] == CL_QUEUE_SIZE && !has_size) {
          has_size = true;
        } else {
          return CL_INVALID_VALUE;
        }
        kept.push_back(entry[0]);
        kept.push_back(entry[1]);
      }
      kept.push_back(0);
    }
    if (const auto error = check_flags(flags))
      return error;
    if (has_size) // only device queues have a size
      return CL_INVALID_VALUE;
    return create(context, device, flags, std::move(kept));
  });
}

// As clCreateCommandQueueWithProperties (deprecated).
cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties,
                                                  cl_int* errcode_ret) {
  return guarded_create<cl_command_queue>(errcode_ret, [&]() -> Result<cl_command_queue> {
    if (const auto error = check_handles(context, device))
      return error;
    if (properties & ~kHostFlags)
      return CL_INVALID_VALUE;
    return create(context, device, properties, {});
  });
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return retain_handle<Queue>(command_queue, CL_INVALID_COMMAND_QUEUE);
}

// Flushes the queue first, as the specification requires.
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  if (auto* queue = find<Queue>(command_queue))
    (void)queue->flush();
  return release_handle<Queue>(command_queue, CL_INVALID_COMMAND_QUEUE);
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue,
                                         cl_command_queue_info param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* queue = find<Queue>(command_queue);
    if (!queue)
      return CL_INVALID_COMMAND_QUEUE;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_QUEUE_CONTEXT:
      return out.put<cl_context>(static_cast<cl_context>(queue->context().handle()));
    case CL_QUEUE_DEVICE:
      return out.put<cl_device_id>(static_cast<cl_device_id>(queue->device().handle()));
    case CL_QUEUE_REFERENCE_COUNT:
      return out.put<cl_uint>(queue->user_references());
    case CL_QUEUE_PROPERTIES:
      return out.put<cl_command_queue_properties>(queue->flags());
    case CL_QUEUE_PROPERTIES_ARRAY:
      return out.put_array(queue->properties());
    case CL_QUEUE_SIZE: // only of device queues
      return CL_INVALID_COMMAND_QUEUE;
    case CL_QUEUE_DEVICE_DEFAULT:
      return out.put<cl_command_queue>(nullptr);
    default:
      return CL_INVALID_VALUE;
    }
  });
}

// Removed from OpenCL 1.1: CL_INVALID_COMMAND_QUEUE, else CL_INVALID_OPERATION.
cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue,
                                             cl_command_queue_properties, cl_bool,
                                             cl_command_queue_properties*) {
  return find<Queue>(command_queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  auto* queue = find<Queue>(command_queue);
  return queue ? queue->flush() : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  auto* queue = find<Queue>(command_queue);
  return queue ? queue->finish() : CL_INVALID_COMMAND_QUEUE;
}
