// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_event (OpenCL API 5.11): the state of a command, its dependents and callbacks.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"

#include <CL/cl.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heddle {

class Queue;
class Executor;
class ReadyList;

// A registered callback. Allocated at registration, so that the call needs no memory.
struct PendingCallback;

class Event : public Object {
 public:
  static constexpr Kind kKind = Kind::event;
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  Context& context() const { return *context_; }
  // Null for user events. Valid while the event is not finished or the user refers to it.
  Queue* queue() const { return queue_; }
  // What CL_EVENT_COMMAND_QUEUE tells: also null for commands of several queues.
  virtual Queue* reported_queue() const noexcept { return queue_; }
  cl_command_type type() const { return type_; }
  // CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE, or a negative error.
  cl_int status() const noexcept { return status_.load(std::memory_order_seq_cst); }
  // The status, for a user who may poll: makes sure that a thread runs pending commands.
  cl_int ask_status() noexcept;
  bool finished() const noexcept { return status() <= CL_COMPLETE; }
  bool is_user_event() const { return type_ == CL_COMMAND_USER; }
  // User events only: CL_COMPLETE or negative; CL_INVALID_OPERATION if the status was set before.
  cl_int set_user_status(cl_int status) noexcept;
  // `state`: CL_SUBMITTED, CL_RUNNING or CL_COMPLETE. The callback is called once that state or an
  // error is reached, with no lock held; it may enqueue and wait. CL_OUT_OF_HOST_MEMORY if it
  // cannot be stored.
  cl_int add_callback(cl_int state, Callback callback, void* user_data) noexcept;
  // Runs ready commands of the queue until this event is complete or has failed.
  void wait() noexcept;
  // Nanoseconds by CL_PROFILING_COMMAND_QUEUED ... CL_PROFILING_COMMAND_COMPLETE; false if not
  // available (yet).
  bool profiling_time(cl_profiling_info name, cl_ulong* nanoseconds) const noexcept;

  // For the scheduler. Whether the failure of an event propagates to its dependents: through an
  // event wait list it does, through the order of a queue it does not (commands after a failed one
  // still run).
  enum class Dependency : std::uint8_t { wait_list, queue_order };
  // Makes `dependent` wait for this event. False if this event has already finished.
  bool add_dependent(Event& dependent, Dependency dependency);
  bool failed() const noexcept { return status() < 0; }
  void expect_dependency() noexcept { waiting_for_.fetch_add(1, std::memory_order_relaxed); }
  // For commands of contexts that can be terminated (termination.h): true if the caller is to end
  // it, by scheduler::finish_cancelled(). Otherwise it has begun, or it is ready when it is in
  // turn. Completions of dependencies have no effect any more.
  bool cancel() noexcept;
  // The command is where it belongs, and no order of a queue keeps it waiting.
  void set_in_turn() noexcept {
    if (is_cancellable_)
      waiting_for_.fetch_add(kInTurn, std::memory_order_acq_rel);
  }
  // Before its execution. False if it was cancelled and is ended by another thread.
  bool begin() noexcept {
    return !is_cancellable_ ||
           !(waiting_for_.fetch_or(kBegun, std::memory_order_acq_rel) & kClaimed);
  }
  bool is_cancellable() const noexcept { return is_cancellable_; }
  // Of commands: until forget(), the termination of the context finds it. Throws std::bad_alloc.
  void remember();
  void forget() noexcept;
  // One dependency of this event is complete; the last one appends the event to `ready`.
  void dependency_done(bool failed, ReadyList& ready) noexcept;
  // The same for the dependency on the preceding command of the queue; takes over the queue's
  // reference to `event`.
  static void order_dependency_done(Ref<Event> event, ReadyList& ready) noexcept;
  void set_dependency_failed() noexcept {
    dependency_failed_.store(true, std::memory_order_release);
  }
  bool dependency_failed() const noexcept {
    return dependency_failed_.load(std::memory_order_acquire);
  }
  void
  enter(cl_int state) noexcept; // CL_SUBMITTED or CL_RUNNING: records the time and calls callbacks
  // CL_COMPLETE or negative: records the time, calls callbacks, appends ready dependents to
  // `ready`.
  void finish(cl_int status, ReadyList& ready) noexcept;
  // What traces call it; empty: by its type.
  virtual std::string_view trace_name() const noexcept { return {}; }
  // From the enqueue to the start, in nanoseconds; 0 if times are not kept.
  std::uint64_t waited() const noexcept;
  // Whether its times are kept.
  bool is_stamped() const noexcept { return is_stamped_; }
  // When the program enqueued the command, by monotonic_nanoseconds(): what it then waited for is
  // time in the queue. Without a time, now, unless that is known.
  void stamp_queued(std::uint64_t nanoseconds) noexcept;
  void stamp_queued() noexcept;
  // The command has ended; it is complete when what it has enqueued is. Unless this is called, both
  // are the same.
  void stamp_ended() noexcept;
  // Gives the user a reference and returns the handle; null (and no reference) if handles are
  // exhausted. Called before the command is put into its queue.
  void* show_to_user() noexcept;
  // The same for a kernel, to which the handle is a clk_event_t; keeps no queue.
  void* show_to_kernel() noexcept;
  // Undoes show_to_user().
  void hide_from_user() noexcept { (void)release_user(); }
  // Of a command that has a part in more than its queue, such as semaphores: it may have
  // dependencies already when it is enqueued, and ending() is called.
  bool is_linked() const noexcept { return is_linked_; }
  // Announces that the calling thread is about to sleep until this event has finished; the thread
  // must read the status again afterwards.
  void expect_waiter() noexcept { has_waiter_.store(true, std::memory_order_seq_cst); }

 protected:
  // A user event (queue null) or a command. `kind` is Kind::event, or Kind::device_event for a
  // clk_event_t.
  Event(Context& context, Queue* queue, cl_command_type type, bool profiling, Kind kind) noexcept;
  ~Event() override;
  // In the constructor.
  void link() noexcept { is_linked_ = true; }

 private:
  friend class ReadyList;
  friend class UserEvent;
  friend class Queue; // links its commands
  void call_back(cl_int reached) noexcept;
  void tell_begin() const noexcept;
  void trace_end(cl_int status) const noexcept;
  // Of a linked command: it has ended, also without having begun, and is about to get this status.
  // Appends the events that become ready therefore.
  virtual void ending(cl_int, ReadyList&) noexcept {}

  // Flags in waiting_for_, of cancellable commands. Claimed: by the thread that has cancelled it.
  static constexpr std::uint32_t kCancelled = 1u << 31, kClaimed = 1u << 30, kBegun = 1u << 29,
                                 kInTurn = 1u << 28;

  Queue* const queue_;
  ParentRef<Queue>
      queue_ref_;    // of commands whose event the user holds; otherwise the queue keeps itself
  Context* context_; // kept by the queue, or by context_ref_ for user events
  ParentRef<Context> context_ref_;
  const cl_command_type type_;
  const bool profiling_;
  const bool is_stamped_;
  bool is_linked_ = false;
  const bool is_cancellable_;
  std::atomic<cl_int> status_; // released after all that the command has written
  std::atomic<std::uint32_t> waiting_for_{
      1}; // pending dependencies, and one until the enqueue is complete
  std::atomic<bool> dependency_failed_{false};
  std::atomic<bool> has_callbacks_{false};
  std::atomic<bool> user_status_set_{false};
  std::atomic<bool> has_waiter_{false}; // sequentially consistent, as status_ is then
  Mutex mutex_;
  struct Edge {
    Ref<Event> dependent;
    Dependency dependency;
  };
  Edge first_edge_ HEDDLE_GUARDED_BY(mutex_){}; // nearly always the only edge
  std::vector<Edge> more_edges_ HEDDLE_GUARDED_BY(mutex_);
  // Owned, in the order of registration.
  PendingCallback* callbacks_ HEDDLE_GUARDED_BY(mutex_) = nullptr;
  std::array<std::atomic<std::uint64_t>, 5>
      times_{}; // by CL_QUEUED - state: queued, submitted, started, ended; then complete
  Event* next_ready_ = nullptr; // links a ReadyList; that list owns a reference
  // Links the queue's list: of an in-order queue the commands that have not started, of an
  // out-of-order one those that have not finished.
  Event* next_in_queue_ = nullptr;
  Event* previous_in_queue_ = nullptr;
  bool is_in_queue_ = false;
  bool waits_for_all_ = false; // depends on all earlier commands of the queue
};

struct PendingCallback {
  Ref<Event> event; // set when the state has been reached
  cl_int state;     // requested; then the argument of the function
  Event::Callback function;
  void* user_data;
  PendingCallback* next = nullptr;
};

// A user event (clCreateUserEvent).
class UserEvent final : public Event {
 public:
  explicit UserEvent(Context& context, Kind kind = Kind::event) noexcept
      : Event(context, nullptr, CL_COMMAND_USER, false, kind) {}

 private:
  // An event whose status cannot be set any more never completes (OpenCL API 5.11, clReleaseEvent):
  // it and its dependents are kept in their state.
  void on_user_released() noexcept override;
};

// A list that owns events whose dependencies are complete. Not thread-safe.
class ReadyList {
 public:
  ReadyList() = default;
  ReadyList(const ReadyList&) = delete;
  ReadyList& operator=(const ReadyList&) = delete;
  ~ReadyList();
  bool empty() const { return !first_; }
  void push(Ref<Event> event) noexcept;
  void push_front(Ref<Event> event) noexcept;
  Ref<Event> pop() noexcept; // null when empty
  // The first event of that queue among the first `most`; null if there is none.
  Ref<Event> pop_of(const Queue& queue, std::size_t most) noexcept;

 private:
  Event* first_ = nullptr;
  Event* last_ = nullptr;
};

} // namespace heddle
