// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores (cl_khr_semaphore, cl_khr_external_semaphore; OpenCL API, Semaphores).
#include "runtime/semaphore/semaphore.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "icd/semaphore_options.h"
#include "runtime/semaphore/semaphore_command.h"
#include "runtime/semaphore/shared_payload.h"
#include "runtime/semaphore/sync_file_payload.h"

#include <algorithm>
#include <vector>

using namespace heddle;
using namespace heddle::icd;

namespace {

using Action = SemaphoreCommand::Action;

// CL_INVALID_VALUE, CL_INVALID_SEMAPHORE_KHR, CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT.
cl_int find_semaphores(const Queue& queue, cl_uint count, const cl_semaphore_khr* list,
                       std::vector<Semaphore*>& found) {
  if (count == 0 || !list)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    found.push_back(find<Semaphore>(list[i]));
    if (!found.back())
      return CL_INVALID_SEMAPHORE_KHR;
  }
  for (const auto* semaphore : found)
    if (!semaphore->has(queue.device()))
      return CL_INVALID_COMMAND_QUEUE;
  for (const auto* semaphore : found)
    if (&semaphore->context() != &queue.context())
      return CL_INVALID_CONTEXT;
  return CL_SUCCESS;
}

// Binary semaphores need no payloads.
cl_int enqueue(cl_command_queue command_queue, Action action, cl_uint count,
               const cl_semaphore_khr* list, cl_uint wait_count, const cl_event* wait_list,
               cl_event* event) {
  return guarded([&]() -> cl_int {
    auto* queue = find<Queue>(command_queue);
    if (!queue)
      return CL_INVALID_COMMAND_QUEUE;
    std::vector<Semaphore*> semaphores;
    if (const auto error = find_semaphores(*queue, count, list, semaphores))
      return error;
    WaitList waits;
    if (const auto error = waits.check(wait_count, wait_list, queue->context()))
      return error;
    if (waits.has_failed())
      return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return SemaphoreCommand::enqueue(*queue, action, semaphores, waits.events(), event);
  });
}

Result<std::shared_ptr<Payload>> make_payload(const Semaphore::Options& options) {
  if (options.import)
    return options.import->type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR
               ? SyncFilePayload::import(options.import->file)
               : SharedPayload::import(options.import->file);
  if (std::ranges::find(options.export_types, cl_uint{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR}) !=
      options.export_types.end())
    return SharedPayload::make();
  return std::make_shared<Payload>();
}

} // namespace

// CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_PROPERTY, CL_INVALID_OPERATION,
// CL_INVALID_DEVICE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY.
cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr* sema_props, cl_int* errcode_ret) {
  return guarded_create<cl_semaphore_khr>(errcode_ret, [&]() -> Result<cl_semaphore_khr> {
    auto* owner = find<Context>(context);
    if (const auto error = check_context(owner))
      return error;
    auto options = read_semaphore_options(*owner, sema_props);
    if (!options)
      return options.error();
    auto payload = make_payload(*options);
    if (!payload)
      return payload.error();
    return give_to_user<cl_semaphore_khr>(
        make_ref<Semaphore>(*owner, std::move(*options), std::move(*payload)));
  });
}

cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object) {
  return retain_handle<Semaphore>(sema_object, CL_INVALID_SEMAPHORE_KHR);
}

cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object) {
  return release_handle<Semaphore>(sema_object, CL_INVALID_SEMAPHORE_KHR);
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, CL_INVALID_SEMAPHORE_KHR, CL_INVALID_CONTEXT,
// CL_INVALID_EVENT_WAIT_LIST, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue,
                                              cl_uint num_sema_objects,
                                              const cl_semaphore_khr* sema_objects,
                                              const cl_semaphore_payload_khr*,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return enqueue(command_queue, Action::wait, num_sema_objects, sema_objects,
                 num_events_in_wait_list, event_wait_list, event);
}

// As clEnqueueWaitSemaphoresKHR.
cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue,
                                                cl_uint num_sema_objects,
                                                const cl_semaphore_khr* sema_objects,
                                                const cl_semaphore_payload_khr*,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event* event_wait_list, cl_event* event) {
  return enqueue(command_queue, Action::signal, num_sema_objects, sema_objects,
                 num_events_in_wait_list, event_wait_list, event);
}

// CL_INVALID_SEMAPHORE_KHR, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object,
                                         cl_semaphore_info_khr param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* semaphore = find<Semaphore>(sema_object);
    if (!semaphore)
      return CL_INVALID_SEMAPHORE_KHR;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_SEMAPHORE_CONTEXT_KHR:
      return out.put<cl_context>(static_cast<cl_context>(semaphore->context().handle()));
    case CL_SEMAPHORE_REFERENCE_COUNT_KHR:
      return out.put<cl_uint>(semaphore->user_references());
    case CL_SEMAPHORE_PROPERTIES_KHR:
      return out.put_array<cl_semaphore_properties_khr>(semaphore->properties());
    case CL_SEMAPHORE_TYPE_KHR:
      return out.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR);
    case CL_SEMAPHORE_PAYLOAD_KHR:
      return out.put<cl_semaphore_payload_khr>(semaphore->payload()->is_signaled() ? 1 : 0);
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: {
      std::vector<cl_device_id> handles;
      for (const auto& device : semaphore->devices())
        handles.push_back(static_cast<cl_device_id>(device->handle()));
      return out.put_array<cl_device_id>(handles);
    }
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
      return out.put_array<cl_external_semaphore_handle_type_khr>(semaphore->export_types());
    case CL_SEMAPHORE_EXPORTABLE_KHR:
      return out.put<cl_bool>(semaphore->export_types().empty() ? CL_FALSE : CL_TRUE);
    default:
      return CL_INVALID_VALUE;
    }
  });
}

// A sync file is always -1, which is one that has been signaled: the call waits for the signal.
//
// CL_INVALID_SEMAPHORE_KHR, CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_OPERATION (no signal
// that a sync file could be of has been enqueued), CL_OUT_OF_RESOURCES (descriptors).
cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                                  cl_external_semaphore_handle_type_khr handle_type,
                                                  size_t handle_size, void* handle_ptr,
                                                  size_t* handle_size_ret) {
  return guarded([&]() -> cl_int {
    auto* semaphore = find<Semaphore>(sema_object);
    if (!semaphore)
      return CL_INVALID_SEMAPHORE_KHR;
    const auto* user = find<Device>(device);
    if (!user || !semaphore->has(*user))
      return CL_INVALID_DEVICE;
    if (std::ranges::find(semaphore->export_types(), handle_type) ==
            semaphore->export_types().end() ||
        (handle_ptr && handle_size < sizeof(int)))
      return CL_INVALID_VALUE;
    int file = -1;
    const auto payload = semaphore->payload();
    if (handle_ptr && handle_type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR) {
      if (const auto error = payload->wait())
        return error;
    } else if (handle_ptr) {
      file = payload->export_file();
      if (file < 0)
        return CL_OUT_OF_RESOURCES;
    }
    return InfoOutput(handle_size, handle_ptr, handle_size_ret).put<int>(file);
  });
}

// Commands that are enqueued already keep what they wait for.
//
// CL_INVALID_SEMAPHORE_KHR (also unless it was made from a sync file), CL_INVALID_VALUE (no sync
// file, or any property), CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(cl_semaphore_khr sema_object,
                                                cl_semaphore_reimport_properties_khr* properties,
                                                int fd) {
  return guarded([&]() -> cl_int {
    auto* semaphore = find<Semaphore>(sema_object);
    if (!semaphore || !semaphore->is_imported_from(CL_SEMAPHORE_HANDLE_SYNC_FD_KHR))
      return CL_INVALID_SEMAPHORE_KHR;
    if (properties && *properties != 0)
      return CL_INVALID_VALUE;
    auto payload = SyncFilePayload::import(fd);
    if (!payload)
      return payload.error() == CL_INVALID_PROPERTY ? CL_INVALID_VALUE : payload.error();
    semaphore->replace_payload(std::move(*payload));
    return CL_SUCCESS;
  });
}
