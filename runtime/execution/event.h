// cl_event (OpenCL API 5.11): the state of a command, its dependants and callbacks.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <span>

namespace heddle {

class Queue;

class Event : public Object {
 public:
  static constexpr Kind kKind = Kind::event;
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  Context& context() const;
  Queue* queue() const; // null for user events
  cl_command_type type() const;
  // CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE, or a negative error.
  cl_int status() const noexcept;
  bool is_user_event() const;
  // User events only: CL_COMPLETE or negative; CL_INVALID_OPERATION the second time.
  cl_int set_user_status(cl_int status) noexcept;
  // `state`: CL_SUBMITTED, CL_RUNNING or CL_COMPLETE. Called once that state or an error has been
  // reached, never with a lock held; the callback may enqueue and wait.
  cl_int add_callback(cl_int state, Callback callback, void* user_data) noexcept;
  // Works on ready commands until this event is complete or has failed.
  void wait() noexcept;
  // Nanoseconds by CL_PROFILING_COMMAND_QUEUED ... CL_PROFILING_COMMAND_COMPLETE; false if not
  // (yet) available.
  bool profiling_time(cl_profiling_info name, cl_ulong* nanoseconds) const noexcept;
};

} // namespace heddle
