// cl_event (OpenCL API 5.11): the state of a command, its dependants and callbacks.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/mutex.h"
#include "runtime/core/object.h"

#include <CL/cl.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

class Queue;
class Executor;
class ReadyList;

// A function that the user wants called, until it is: made when it is asked for, so that nothing
// needs memory when its time has come.
struct PendingCallback;

class Event : public Object {
 public:
  static constexpr Kind kKind = Kind::event;
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

  Context& context() const { return *context_; }
  // Null for user events. Lives as long as the event has not finished or the user refers to it.
  Queue* queue() const { return queue_; }
  cl_command_type type() const { return type_; }
  // CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE, or a negative error.
  cl_int status() const noexcept { return status_.load(std::memory_order_seq_cst); }
  // The status, for a user who may be waiting by asking again and again: makes sure that somebody
  // works for it.
  cl_int ask_status() noexcept;
  bool finished() const noexcept { return status() <= CL_COMPLETE; }
  bool is_user_event() const { return type_ == CL_COMMAND_USER; }
  // User events only: CL_COMPLETE or negative; CL_INVALID_OPERATION the second time.
  cl_int set_user_status(cl_int status) noexcept;
  // `state`: CL_SUBMITTED, CL_RUNNING or CL_COMPLETE. Called once that state or an error has been
  // reached, never with a lock held; the callback may enqueue and wait. CL_OUT_OF_HOST_MEMORY if it
  // cannot be kept.
  cl_int add_callback(cl_int state, Callback callback, void* user_data) noexcept;
  // Works on ready commands of the queue until this event is complete or has failed.
  void wait() noexcept;
  // Nanoseconds by CL_PROFILING_COMMAND_QUEUED ... CL_PROFILING_COMMAND_COMPLETE; false if not
  // (yet) available.
  bool profiling_time(cl_profiling_info name, cl_ulong* nanoseconds) const noexcept;

  // For the scheduler.
  // What an event's failure does to one that waits for it: an event wait list carries it on, the
  // order of a queue does not (commands behind a failed one still run).
  enum class Dependency : std::uint8_t { wait_list, queue_order };
  // Makes `dependant` wait for this event. False if this event has finished: nothing to wait for.
  bool add_dependant(Event& dependant, Dependency dependency);
  bool failed() const noexcept { return status() < 0; }
  void expect_dependency() noexcept { waiting_for_.fetch_add(1, std::memory_order_relaxed); }
  // One of the things this event waits for is done; the last one puts it on `ready`.
  void dependency_done(bool failed, ReadyList& ready) noexcept;
  // The same for the queue's order, with the queue's reference to `event`.
  static void turn_comes(Ref<Event> event, ReadyList& ready) noexcept;
  bool dependency_failed() const noexcept {
    return dependency_failed_.load(std::memory_order_acquire);
  }
  void
  enter(cl_int state) noexcept; // CL_SUBMITTED or CL_RUNNING: stamps the time and calls callbacks
  // CL_COMPLETE or negative: stamps the time, calls callbacks, releases dependants to `ready`.
  void finish(cl_int status, ReadyList& ready) noexcept;
  void stamp_queued() noexcept;
  // The user gets a reference and the handle; null (and no reference) if there are no handles left.
  // Before the command is put into its queue.
  void* show_to_user() noexcept;
  // Takes back what show_to_user gave.
  void hide_from_user() noexcept { (void)release_user(); }
  // A thread is about to sleep until this event has finished; it looks at the status once more
  // afterwards.
  void expect_waiter() noexcept { has_waiter_.store(true, std::memory_order_seq_cst); }

 protected:
  // A user event (queue null) or a command.
  Event(Context& context, Queue* queue, cl_command_type type) noexcept;
  ~Event() override;

 private:
  friend class ReadyList;
  friend class UserEvent;
  friend class Queue; // links its commands
  void call_back(cl_int reached) noexcept;

  Queue* const queue_;
  ParentRef<Queue> queue_ref_; // of commands that the user sees; else the queue keeps itself
  Context* context_;           // kept by the queue, or by context_ref_ for user events
  ParentRef<Context> context_ref_;
  const cl_command_type type_;
  const bool profiling_;
  std::atomic<cl_int> status_;
  std::atomic<std::uint32_t> waiting_for_{
      1}; // dependencies not yet done, and one until the enqueue is complete
  std::atomic<bool> dependency_failed_{false};
  std::atomic<bool> has_callbacks_{false};
  std::atomic<bool> user_status_set_{false};
  std::atomic<bool> has_waiter_{false};
  Mutex mutex_;
  struct Edge {
    Ref<Event> dependant;
    Dependency dependency;
  };
  Edge first_edge_{}; // nearly always the only one
  std::vector<Edge> more_edges_;
  PendingCallback* callbacks_ = nullptr; // owned, in the order they came
  std::array<std::atomic<std::uint64_t>, 4>
      times_{};                 // by CL_QUEUED - state: queued, submitted, started, ended
  Event* next_ready_ = nullptr; // links a ReadyList; that list owns a reference
  // The queue's own list: in order, of commands whose turn has not come; out of order, of those
  // that have not finished.
  Event* next_in_queue_ = nullptr;
  Event* previous_in_queue_ = nullptr;
  bool is_in_queue_ = false;
  bool is_behind_all_ = false; // waits for all commands that were in the queue before it
};

struct PendingCallback {
  Ref<Event> event; // set when the state has been reached
  cl_int state;     // asked for; then what the function is told
  Event::Callback function;
  void* user_data;
  PendingCallback* next = nullptr;
};

// A user event (clCreateUserEvent).
class UserEvent final : public Event {
 public:
  explicit UserEvent(Context& context) noexcept : Event(context, nullptr, CL_COMMAND_USER) {}

 private:
  // Whoever waits for an event that nobody can set any more waits for ever (OpenCL API 5.11,
  // clReleaseEvent): it and its dependants are kept, and stay what they are.
  void on_user_released() noexcept override;
};

// Events whose dependencies are all done, in order, owned. Not thread-safe.
class ReadyList {
 public:
  ReadyList() = default;
  ReadyList(const ReadyList&) = delete;
  ReadyList& operator=(const ReadyList&) = delete;
  ~ReadyList();
  bool empty() const { return !first_; }
  void push(Ref<Event> event) noexcept;
  Ref<Event> pop() noexcept; // null when empty
  // The first event of that queue among the first `most`; null if there is none.
  Ref<Event> pop_of(const Queue& queue, std::size_t most) noexcept;

 private:
  Event* first_ = nullptr;
  Event* last_ = nullptr;
};

} // namespace heddle
