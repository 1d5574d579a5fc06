// cl_command_queue (OpenCL API 5.1).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"
#include "runtime/execution/command.h"

#include <CL/cl.h>

#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

namespace heddle {

class Queue final : public Object {
 public:
  static constexpr Kind kKind = Kind::queue;

  // `properties`: as given to clCreateCommandQueueWithProperties, with the closing zero; empty when
  // none were given.
  Queue(Context& context, Device& device, cl_command_queue_properties flags,
        std::vector<cl_queue_properties> properties);

  Context& context() const { return *context_; }
  Device& device() const { return *device_; }
  cl_command_queue_properties flags() const { return flags_; }
  std::span<const cl_queue_properties> properties() const { return properties_; }
  bool in_order() const { return !(flags_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  bool profiling() const { return flags_ & CL_QUEUE_PROFILING_ENABLE; }

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

  // For the scheduler: a command of this queue has finished.
  void forget(Event& event) noexcept;

 private:
  ~Queue() override;
  cl_int enqueue_behind(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                        bool blocking, bool behind_all, bool is_barrier) noexcept;

  ParentRef<Context> context_;
  ParentRef<Device> device_;
  const cl_command_queue_properties flags_;
  const std::vector<cl_queue_properties> properties_;

  std::mutex mutex_;
  Ref<Event> last_;    // in order: the newest command
  Ref<Event> barrier_; // out of order: the newest barrier
  // Out of order: commands that have not finished, for barriers, markers and finish. A command
  // takes itself out.
  std::unordered_set<Event*> unfinished_;
};

} // namespace heddle
