// cl_command_queue (OpenCL API 5.1).
//
// Out of order, each command whose dependencies are done goes to the executor by itself. In order,
// the commands form a chain, and whoever finishes one goes on with the next: only the first is
// handed to the executor. Commands that are enqueued meanwhile are collected and taken over many
// at a time. A runner that has come to the end of the chain keeps it for a short while and looks
// for new commands itself (it lingers), so that a program that enqueues one command after the other
// need not wake anybody.
//
// A chain, and out of order each command, keeps the queue.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"
#include "runtime/execution/command.h"

#include <CL/cl.h>

#include <atomic>
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
  // Whether all commands that were enqueued have finished.
  bool is_idle() noexcept;
  // Puts the command behind all that were enqueued before, also out of order.
  cl_int enqueue_behind_all(Ref<Command> command) noexcept;

  // For the scheduler and executors.
  // The command has finished: the next in order goes to `ready` if nothing else is in its way. At
  // the end of the chain `*linger` (may be null) becomes this queue if the caller is to linger: it
  // must call resume() or stop_lingering() some time. The queue may be gone afterwards.
  void advance(Command& command, ReadyList& ready, Ref<Queue>* linger) noexcept;
  // Of a queue that somebody lingers with: whether resume() is worth a try.
  bool has_incoming() const noexcept {
    return incoming_first_.load(std::memory_order_relaxed) != nullptr;
  }
  // Whether it is not worth while to linger any more.
  bool is_released() const noexcept { return released_.load(std::memory_order_relaxed); }
  // Takes the chain from the thread that lingers with it, which may be the caller; nothing becomes
  // ready if nobody lingers or no command has come.
  void resume(ReadyList& ready) noexcept;
  // As resume(), and nobody lingers afterwards.
  void stop_lingering(ReadyList& ready) noexcept;

 private:
  ~Queue() override;
  void on_user_released() noexcept override;
  cl_int enqueue_behind(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                        bool blocking, bool behind_all, bool is_barrier) noexcept;

  ParentRef<Context> context_;
  ParentRef<Device> device_;
  const cl_command_queue_properties flags_;
  const std::vector<cl_queue_properties> properties_;

  void put_in_order(Ref<Command>& command, bool has_waits, bool& is_ready) noexcept;
  void put_out_of_order(Command& command, bool behind_all, bool is_barrier);
  Event* take_incoming() noexcept; // with mutex_ held
  void begin(Event* next, ReadyList& ready) noexcept;
  void remove(Event& event) noexcept;

  // What the thread at work touches for each command, apart from what enqueueing threads do.
  alignas(64) Event* batch_ = nullptr; // in order: taken over, not yet begun; the chain's owner's

  alignas(64) Mutex mutex_;
  bool active_ = false; // in order: there are commands, or a thread lingers
  bool lingering_ = false;
  unsigned lingering_since_fork_ = 0;
  std::atomic<bool> released_{false};
  std::atomic<Event*> incoming_first_{nullptr}; // in order: behind the batch, owned
  Event* incoming_last_ = nullptr;
  Ref<Event> batch_last_; // in order: the newest command that was taken over
  Ref<Event> barrier_;    // out of order: the newest barrier
  // Out of order: commands that have not finished, for barriers, markers and finish. A command
  // takes itself out.
  Event* unfinished_ = nullptr;
};

} // namespace heddle
