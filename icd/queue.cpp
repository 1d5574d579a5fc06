// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command queues of the host and of devices (OpenCL API 5.1, 5.15).
#include "runtime/execution/queue.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/device/limits.h"
#include "runtime/execution/device_executor.h"
#include "runtime/execution/device_queue.h"

#include <optional>
#include <utility>
#include <vector>

using namespace heddle;
using namespace heddle::icd;

namespace {

constexpr cl_command_queue_properties kHostFlags =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceFlags =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

// CL_INVALID_VALUE. A device queue must be out of order; a default queue must be a device queue.
cl_int check_queue_flags(cl_command_queue_properties flags) {
  if (flags & ~(kHostFlags | kDeviceFlags))
    return CL_INVALID_VALUE;
  const bool sound = !(flags & kDeviceFlags) || ((flags & CL_QUEUE_ON_DEVICE) &&
                                                 (flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
  return sound ? CL_SUCCESS : CL_INVALID_VALUE;
}

Result<cl_command_queue> create(cl_context context, cl_device_id device,
                                cl_command_queue_properties flags, QueueHints hints,
                                std::vector<cl_queue_properties> properties) {
  auto* owner = find<Context>(context);
  auto* unit = find<Device>(device);
  // Creates the executor, so that a failure to start threads is an error of this call and not of
  // the first command.
  auto& executor = executor_of(*unit, hints.throttle);
  if (hints.priority != Priority::medium)
    executor.expect_priorities();
  return give_to_user<cl_command_queue>(
      make_ref<Queue>(*owner, *unit, flags, hints, std::move(properties)));
}

// A device has one default queue in a context: asked for another one, the user gets it again.
Result<cl_command_queue> create_on_device(cl_context context, cl_device_id device,
                                          cl_command_queue_properties flags, cl_uint bytes,
                                          std::vector<cl_queue_properties> properties) {
  auto* owner = find<Context>(context);
  auto* unit = find<Device>(device);
  const bool is_default = flags & CL_QUEUE_ON_DEVICE_DEFAULT;
  if (is_default)
    if (const auto current = default_device_queue(*owner, *unit))
      return give_to_user<cl_command_queue>(Ref<DeviceQueue>(current.get()));
  auto made = make_ref<DeviceQueue>(*owner, *unit, flags, bytes, std::move(properties));
  auto* queue = made.get();
  auto handle = give_to_user<cl_command_queue>(std::move(made));
  if (handle && is_default)
    set_default_device_queue(*queue);
  return handle;
}

// The list of clCreateCommandQueueWithProperties.
struct QueueProperties {
  std::optional<cl_command_queue_properties> flags;
  std::optional<cl_queue_properties> size, priority, throttle;
  std::vector<cl_queue_properties> kept; // with the terminating zero

  // CL_INVALID_VALUE: a name that is not known or given twice.
  cl_int read(const cl_queue_properties* list) {
    if (!list)
      return CL_SUCCESS;
    for (; *list; list += 2) {
      auto* place = list[0] == CL_QUEUE_PROPERTIES     ? &flags
                    : list[0] == CL_QUEUE_SIZE         ? &size
                    : list[0] == CL_QUEUE_PRIORITY_KHR ? &priority
                    : list[0] == CL_QUEUE_THROTTLE_KHR ? &throttle
                                                       : nullptr;
      if (!place || *place)
        return CL_INVALID_VALUE;
      *place = list[1];
      kept.insert(kept.end(), {list[0], list[1]});
    }
    kept.push_back(0);
    return CL_SUCCESS;
  }
  bool has_hints() const { return priority || throttle; }
  // CL_INVALID_VALUE: each is one of three bits.
  cl_int read_hints(QueueHints& hints) const {
    switch (priority.value_or(CL_QUEUE_PRIORITY_MED_KHR)) {
    case CL_QUEUE_PRIORITY_HIGH_KHR:
      hints.priority = Priority::high;
      break;
    case CL_QUEUE_PRIORITY_MED_KHR:
      break;
    case CL_QUEUE_PRIORITY_LOW_KHR:
      hints.priority = Priority::low;
      break;
    default:
      return CL_INVALID_VALUE;
    }
    switch (throttle.value_or(CL_QUEUE_THROTTLE_MED_KHR)) {
    case CL_QUEUE_THROTTLE_HIGH_KHR:
      hints.throttle = Throttle::high;
      break;
    case CL_QUEUE_THROTTLE_MED_KHR:
      break;
    case CL_QUEUE_THROTTLE_LOW_KHR:
      hints.throttle = Throttle::low;
      break;
    default:
      return CL_INVALID_VALUE;
    }
    return CL_SUCCESS;
  }
};

// The queries that host and device queues share; nothing for other names.
template <class AnyQueue>
std::optional<cl_int> common_info(AnyQueue& queue, cl_command_queue_info name,
                                  const InfoOutput& out) {
  switch (name) {
  case CL_QUEUE_CONTEXT:
    return out.put<cl_context>(static_cast<cl_context>(queue.context().handle()));
  case CL_QUEUE_DEVICE:
    return out.put<cl_device_id>(static_cast<cl_device_id>(queue.device().handle()));
  case CL_QUEUE_REFERENCE_COUNT:
    return out.put<cl_uint>(queue.user_references());
  case CL_QUEUE_PROPERTIES:
    return out.put<cl_command_queue_properties>(queue.flags());
  case CL_QUEUE_PROPERTIES_ARRAY:
    return out.put_array(queue.properties());
  case CL_QUEUE_DEVICE_DEFAULT: {
    const auto current = default_device_queue(queue.context(), queue.device());
    return out.put<cl_command_queue>(current ? static_cast<cl_command_queue>(current->handle())
                                             : nullptr);
  }
  default:
    return std::nullopt;
  }
}

cl_int check_handles(cl_context context, cl_device_id device) {
  auto* owner = find<Context>(context);
  if (const auto error = check_context(owner))
    return error;
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
    QueueProperties given;
    if (const auto error = given.read(properties))
      return error;
    const auto flags = given.flags.value_or(0);
    if (const auto error = check_queue_flags(flags))
      return error;
    QueueHints hints;
    if (const auto error = given.read_hints(hints))
      return error;
    if (flags & CL_QUEUE_ON_DEVICE) {
      const auto size = given.size.value_or(limits::kDeviceQueueBytes);
      if (size == 0 || size > limits::kMaxDeviceQueueBytes || given.has_hints())
        return CL_INVALID_QUEUE_PROPERTIES;
      return create_on_device(context, device, flags, static_cast<cl_uint>(size),
                              std::move(given.kept));
    }
    if (given.size) // only device queues have a size
      return CL_INVALID_VALUE;
    return create(context, device, flags, hints, std::move(given.kept));
  });
}

// cl_khr_create_command_queue: as clCreateCommandQueueWithProperties.
cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr* properties,
    cl_int* errcode_ret) {
  static_assert(sizeof(cl_queue_properties_khr) == sizeof(cl_queue_properties));
  return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
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
    return create(context, device, properties, {}, {});
  });
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return find<DeviceQueue>(command_queue)
             ? retain_handle<DeviceQueue>(command_queue, CL_INVALID_COMMAND_QUEUE)
             : retain_handle<Queue>(command_queue, CL_INVALID_COMMAND_QUEUE);
}

// Flushes the queue first, as the specification requires.
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  if (find<DeviceQueue>(command_queue))
    return release_handle<DeviceQueue>(command_queue, CL_INVALID_COMMAND_QUEUE);
  if (auto* queue = find<Queue>(command_queue))
    (void)queue->flush();
  return release_handle<Queue>(command_queue, CL_INVALID_COMMAND_QUEUE);
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue,
                                         cl_command_queue_info param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    if (auto* queue = find<DeviceQueue>(command_queue)) {
      if (param_name == CL_QUEUE_SIZE)
        return out.put<cl_uint>(queue->bytes());
      return common_info(*queue, param_name, out).value_or(CL_INVALID_VALUE);
    }
    auto* queue = find<Queue>(command_queue);
    if (!queue || param_name == CL_QUEUE_SIZE) // only device queues have a size
      return CL_INVALID_COMMAND_QUEUE;
    return common_info(*queue, param_name, out).value_or(CL_INVALID_VALUE);
  });
}

// CL_INVALID_CONTEXT, CL_INVALID_DEVICE, CL_INVALID_COMMAND_QUEUE if the queue is no device queue
// of this device and context.
cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue command_queue) {
  return guarded([&]() -> cl_int {
    if (const auto error = check_handles(context, device))
      return error;
    auto* queue = find<DeviceQueue>(command_queue);
    if (!queue || &queue->context() != find<Context>(context) ||
        &queue->device() != find<Device>(device))
      return CL_INVALID_COMMAND_QUEUE;
    set_default_device_queue(*queue);
    return CL_SUCCESS;
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
