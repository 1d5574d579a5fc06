// cl_command_queue (OpenCL API 5.1).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"
#include "runtime/execution/command.h"

#include <CL/cl.h>

#include <span>
#include <vector>

namespace heddle {

class Queue final : public Object {
 public:
  static constexpr Kind kKind = Kind::queue;

  // `properties`: as given to clCreateCommandQueueWithProperties, with the closing zero; empty when
  // none were given.
  Queue(Context& context, Device& device, cl_command_queue_properties flags,
        std::vector<cl_queue_properties> properties);

  Context& context() const;
  Device& device() const;
  cl_command_queue_properties flags() const;
  std::span<const cl_queue_properties> properties() const;
  bool in_order() const;
  bool profiling() const;

  // Puts the command behind `waits` (and, in order, behind the command before it). The waits were
  // validated. With `event` the user gets a reference to it. With `blocking` works until it is
  // complete, and answers CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the command's own error
  // if it failed.
  cl_int enqueue(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                 bool blocking) noexcept;
  // Marker or barrier (clEnqueueMarkerWithWaitList, clEnqueueBarrierWithWaitList): an empty list
  // waits for all commands enqueued before; a barrier also holds back all that come after.
  cl_int enqueue_marker(std::span<Event* const> waits, cl_event* event, bool barrier) noexcept;
  cl_int flush() noexcept;
  cl_int finish() noexcept;
};

} // namespace heddle
