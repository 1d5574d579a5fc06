// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events (OpenCL API 5.11 to 5.14).
#include "runtime/execution/event.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/execution/queue.h"

using namespace heddle;
using namespace heddle::icd;

// CL_INVALID_CONTEXT, CL_OUT_OF_HOST_MEMORY.
cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return guarded_create<cl_event>(errcode_ret, [&]() -> Result<cl_event> {
    auto* owner = find<Context>(context);
    if (const auto error = check_context(owner))
      return error;
    return give_to_user<cl_event>(make_ref<UserEvent>(*owner));
  });
}

// CL_INVALID_EVENT, CL_INVALID_VALUE, CL_INVALID_OPERATION (the status was set before).
cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
  return guarded([&]() -> cl_int {
    auto* object = find<Event>(event);
    if (!object || !object->is_user_event())
      return CL_INVALID_EVENT;
    if (execution_status > CL_COMPLETE)
      return CL_INVALID_VALUE;
    // A callback may release the user's last reference.
    const Ref<Event> keep(object);
    return object->set_user_status(execution_status);
  });
}

// CL_INVALID_VALUE, CL_INVALID_EVENT, CL_INVALID_CONTEXT,
// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST.
cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event* event_list) {
  return guarded([&]() -> cl_int {
    if (num_events == 0 || !event_list)
      return CL_INVALID_VALUE;
    std::vector<Ref<Event>> events;
    events.reserve(num_events);
    for (cl_uint i = 0; i < num_events; ++i) {
      auto* event = find<Event>(event_list[i]);
      if (!event)
        return CL_INVALID_EVENT;
      if (!events.empty() && &event->context() != &events.front()->context())
        return CL_INVALID_CONTEXT;
      events.emplace_back(event);
    }
    bool failed = false;
    for (auto& event : events) {
      event->wait();
      failed |= event->failed();
    }
    return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
  });
}

// CL_INVALID_EVENT, CL_INVALID_VALUE.
cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* object = find<Event>(event);
    if (!object)
      return CL_INVALID_EVENT;
    const InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_EVENT_COMMAND_QUEUE: {
      auto* queue = object->reported_queue();
      return out.put<cl_command_queue>(queue ? static_cast<cl_command_queue>(queue->handle())
                                             : nullptr);
    }
    case CL_EVENT_CONTEXT:
      return out.put<cl_context>(static_cast<cl_context>(object->context().handle()));
    case CL_EVENT_COMMAND_TYPE:
      return out.put<cl_command_type>(object->type());
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
      return out.put<cl_int>(object->ask_status());
    case CL_EVENT_REFERENCE_COUNT:
      return out.put<cl_uint>(object->user_references());
    default:
      return CL_INVALID_VALUE;
    }
  });
}

cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return retain_handle<Event>(event, CL_INVALID_EVENT);
}

cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return release_handle<Event>(event, CL_INVALID_EVENT);
}

// CL_INVALID_EVENT, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                      void(CL_CALLBACK* pfn_notify)(cl_event, cl_int, void*),
                                      void* user_data) {
  return guarded([&]() -> cl_int {
    auto* object = find<Event>(event);
    if (!object)
      return CL_INVALID_EVENT;
    const bool known = command_exec_callback_type == CL_SUBMITTED ||
                       command_exec_callback_type == CL_RUNNING ||
                       command_exec_callback_type == CL_COMPLETE;
    if (!pfn_notify || !known)
      return CL_INVALID_VALUE;
    const Ref<Event> keep(object);
    return object->add_callback(command_exec_callback_type, pfn_notify, user_data);
  });
}

// CL_INVALID_EVENT, CL_INVALID_VALUE, CL_PROFILING_INFO_NOT_AVAILABLE.
cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                           size_t param_value_size, void* param_value,
                                           size_t* param_value_size_ret) {
  return guarded([&]() -> cl_int {
    auto* object = find<Event>(event);
    if (!object)
      return CL_INVALID_EVENT;
    if (param_name < CL_PROFILING_COMMAND_QUEUED || param_name > CL_PROFILING_COMMAND_COMPLETE)
      return CL_INVALID_VALUE;
    cl_ulong nanoseconds = 0;
    if (object->context().is_terminated() || !object->profiling_time(param_name, &nanoseconds))
      return CL_PROFILING_INFO_NOT_AVAILABLE;
    return InfoOutput(param_value_size, param_value, param_value_size_ret)
        .put<cl_ulong>(nanoseconds);
  });
}
