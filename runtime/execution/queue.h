// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_command_queue (OpenCL API 5.1).
//
// Out of order, each command is passed to the executor when its dependencies are complete. In
// order, the commands form a chain: only the first is passed to the executor, and the thread that
// finishes a command runs the next. Commands enqueued meanwhile are collected and taken over as a
// batch. A worker that reaches the end of the chain keeps it for a short time and spin-waits for
// new commands, so that a program that enqueues one command after the other wakes no thread.
//
// A chain, or out of order each command, keeps a reference to the queue.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/execution/command.h"
#include "runtime/execution/queue_hints.h"

#include <CL/cl.h>

#include <atomic>
#include <span>
#include <vector>

namespace heddle {

class Queue final : public Object {
 public:
  static constexpr Kind kKind = Kind::queue;

  // `properties`: as given to clCreateCommandQueueWithProperties, with the terminating zero; empty
  // if none were given.
  Queue(Context& context, Device& device, cl_command_queue_properties flags, QueueHints hints,
        std::vector<cl_queue_properties> properties);

  Context& context() const { return *context_; }
  Device& device() const { return *device_; }
  cl_command_queue_properties flags() const { return flags_; }
  const QueueHints& hints() const { return hints_; }
  std::span<const cl_queue_properties> properties() const { return properties_; }
  bool in_order() const { return !(flags_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  bool profiling() const { return flags_ & CL_QUEUE_PROFILING_ENABLE; }

  // Enqueues the command, which depends on `waits` (validated) and, in order, on the preceding
  // command. If `event` is not null the user gets a reference to the command's event. With
  // `blocking` the caller runs commands until it is complete, and the result is
  // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the command's own error if it failed.
  cl_int enqueue(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                 bool blocking) noexcept;
  // Marker or barrier (clEnqueueMarkerWithWaitList, clEnqueueBarrierWithWaitList): with an empty
  // list it waits for all earlier commands; all later commands wait for a barrier.
  cl_int enqueue_marker(std::span<Event* const> waits, cl_event* event, bool barrier) noexcept;
  cl_int flush() noexcept;
  cl_int finish() noexcept;
  // Whether all commands that were enqueued have finished.
  bool is_idle() noexcept;
  // Enqueues a command that waits for all earlier ones, also out of order.
  cl_int enqueue_after_all(Ref<Command> command) noexcept;

  // For the scheduler and executors. Called when the command has finished. Appends the next one in
  // order to `ready` if it has no other pending dependency. At the end of the chain `*spin_queue`
  // (`spin_queue` may be null) becomes this queue if the caller is to spin-wait on it; the caller
  // must then call resume() or stop_spin_wait() later. The queue may be destroyed afterwards.
  void advance(Command& command, ReadyList& ready, Ref<Queue>* spin_queue) noexcept;
  // For a queue with a spin-waiting thread: a hint that resume() may find commands.
  bool has_incoming() const noexcept {
    return incoming_first_.load(std::memory_order_relaxed) != nullptr;
  }
  // A hint that they are not all brief.
  bool has_urgent() const noexcept { return has_urgent_.load(std::memory_order_relaxed); }
  // Whether the user has released the queue, so that spin-waiting is useless.
  bool is_released() const noexcept { return released_.load(std::memory_order_relaxed); }
  // Takes the chain over from the spin-waiting thread, which may be the caller, and appends its
  // first command to `ready`; does nothing if no thread spin-waits or there is no new command.
  void resume(ReadyList& ready) noexcept;
  // As resume(), but also ends the spin-wait.
  void stop_spin_wait(ReadyList& ready) noexcept;

 private:
  ~Queue() override;
  void on_user_released() noexcept override;
  cl_int enqueue_command(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                         bool blocking, bool waits_for_all, bool is_barrier) noexcept;

  ParentRef<Context> context_;
  ParentRef<Device> device_;
  const cl_command_queue_properties flags_;
  const QueueHints hints_;
  const std::vector<cl_queue_properties> properties_;

  void put_in_order(Ref<Command>& command, bool holds, bool& is_ready) noexcept;
  void put_out_of_order(Command& command, bool waits_for_all, bool is_barrier);
  Event* take_incoming() noexcept HEDDLE_REQUIRES(mutex_);
  void begin(Event* next, ReadyList& ready) noexcept;
  void remove(Event& event) noexcept;

  // Accessed by the working thread for each command; on another cache line than the fields of
  // enqueueing threads.
  alignas(64) Event* batch_ =
      nullptr; // in order: taken over, not yet started; of the chain's owner

  alignas(64) Mutex mutex_;
  // In order: there are commands or a spin-waiting thread.
  bool active_ HEDDLE_GUARDED_BY(mutex_) = false;
  bool has_spin_waiter_ HEDDLE_GUARDED_BY(mutex_) = false;
  unsigned spin_wait_fork_generation_ HEDDLE_GUARDED_BY(mutex_) = 0;
  std::atomic<bool> released_{false};
  std::atomic<Event*> incoming_first_{
      nullptr};                         // in order: after the batch, owned; a hint without mutex_
  std::atomic<bool> has_urgent_{false}; // they are not all brief
  unsigned incoming_count_ HEDDLE_GUARDED_BY(mutex_) = 0;
  Event* incoming_last_ HEDDLE_GUARDED_BY(mutex_) = nullptr;
  Ref<Event> batch_last_ HEDDLE_GUARDED_BY(mutex_); // in order: the newest command of the batch
  Ref<Event> barrier_ HEDDLE_GUARDED_BY(mutex_);    // out of order: the newest barrier
  // Out of order: commands that have not finished, for barriers, markers and finish(). A command
  // removes itself.
  Event* unfinished_ HEDDLE_GUARDED_BY(mutex_) = nullptr;
};

} // namespace heddle
