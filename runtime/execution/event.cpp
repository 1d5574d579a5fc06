// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/event.h"

#include "runtime/core/clock.h"
#include "runtime/core/lock.h"
#include "runtime/execution/queue.h"
#include "runtime/execution/scheduler.h"
#include "runtime/profile/profile.h"
#include "runtime/trace/tasks.h"

namespace heddle {

ReadyList::~ReadyList() {
  while (!empty())
    pop();
}

void ReadyList::push(Ref<Event> event) noexcept {
  auto* added = event.leak();
  added->next_ready_ = nullptr;
  if (last_)
    last_->next_ready_ = added;
  else
    first_ = added;
  last_ = added;
}

void ReadyList::push_front(Ref<Event> event) noexcept {
  auto* added = event.leak();
  added->next_ready_ = first_;
  if (!first_)
    last_ = added;
  first_ = added;
}

Ref<Event> ReadyList::pop() noexcept {
  auto* taken = first_;
  if (taken) {
    first_ = taken->next_ready_;
    if (!first_)
      last_ = nullptr;
  }
  return Ref<Event>::adopt(taken);
}

Ref<Event> ReadyList::pop_of(const Queue& queue, std::size_t most) noexcept {
  Event* before = nullptr;
  for (auto* event = first_; event && most > 0; --most) {
    if (event->queue() == &queue) {
      (before ? before->next_ready_ : first_) = event->next_ready_;
      if (last_ == event)
        last_ = before;
      return Ref<Event>::adopt(event);
    }
    before = event;
    event = event->next_ready_;
  }
  return nullptr;
}

Event::Event(Context& context, Queue* queue, cl_command_type type, bool profiling,
             Kind kind) noexcept
    : Object(kind), queue_(queue), context_(&context), context_ref_(queue ? nullptr : &context),
      type_(type), profiling_(profiling),
      is_stamped_(profiling || (queue && (trace::is_on() || trace::tells(trace::Kind::command) ||
                                          profile::is_on()))),
      is_cancellable_(queue && context.termination()), status_(queue ? CL_QUEUED : CL_SUBMITTED) {}

Event::~Event() {
  while (auto* callback = callbacks_) { // of an event that never reached their state
    callbacks_ = callback->next;
    scheduler::discard_callback(callback);
  }
}

void* Event::show_to_user() noexcept {
  retain_user();
  if (void* made = handle()) {
    queue_ref_ = ParentRef<Queue>(queue_);
    return made;
  }
  (void)release_user();
  return nullptr;
}

void* Event::show_to_kernel() noexcept {
  retain_user();
  if (void* made = handle())
    return made;
  (void)release_user();
  return nullptr;
}

void Event::stamp_queued(std::uint64_t nanoseconds) noexcept {
  times_[0].store(nanoseconds, std::memory_order_relaxed);
}

void Event::stamp_queued() noexcept {
  if (times_[0].load(std::memory_order_relaxed) == 0)
    stamp_queued(monotonic_nanoseconds());
}

void Event::stamp_ended() noexcept {
  if (is_stamped_)
    times_[3].store(monotonic_nanoseconds(), std::memory_order_relaxed);
}

cl_int Event::ask_status() noexcept {
  const auto now = status();
  if (now > CL_COMPLETE && queue_)
    (void)queue_->flush();
  return now;
}

cl_int Event::set_user_status(cl_int status) noexcept {
  ReadyList ready;
  if (user_status_set_.exchange(true))
    return CL_INVALID_OPERATION;
  finish(status, ready);
  scheduler::publish(ready);
  scheduler::run_callbacks();
  return CL_SUCCESS;
}

bool Event::add_dependent(Event& dependent, Dependency dependency) {
  const Lock lock(mutex_);
  if (finished())
    return false;
  if (!first_edge_.dependent)
    first_edge_ = {Ref<Event>(&dependent), dependency};
  else
    more_edges_.push_back({Ref<Event>(&dependent), dependency});
  dependent.expect_dependency();
  return true;
}

void Event::dependency_done(bool failed, ReadyList& ready) noexcept {
  if (failed)
    dependency_failed_.store(true, std::memory_order_release);
  if ((waiting_for_.fetch_sub(1, std::memory_order_acq_rel) & ~kInTurn) == 1)
    ready.push(Ref<Event>(this));
}

void Event::order_dependency_done(Ref<Event> event, ReadyList& ready) noexcept {
  if (event->is_cancellable_) {
    const auto before = event->waiting_for_.fetch_add(kInTurn - 1, std::memory_order_acq_rel);
    if ((before & kCancelled) || before == 1)
      ready.push(std::move(event));
    return;
  }
  // No further dependency can be added, so the last one need not decrement the counter.
  if (event->waiting_for_.load(std::memory_order_acquire) == 1 ||
      event->waiting_for_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    ready.push(std::move(event));
}

bool Event::cancel() noexcept {
  auto before = waiting_for_.load(std::memory_order_acquire);
  bool is_in_turn = false;
  do {
    is_in_turn = before & kInTurn;
    if ((before & (kClaimed | kBegun)) || ((before & kCancelled) && !is_in_turn))
      return false;
  } while (!waiting_for_.compare_exchange_weak(
      before, before | kCancelled | (is_in_turn ? kClaimed : 0), std::memory_order_acq_rel));
  return is_in_turn;
}

void Event::remember() {
  if (auto* termination = context_->termination()) {
    const Lock lock(termination->mutex);
    termination->unfinished.insert(this);
  }
}

void Event::forget() noexcept {
  if (auto* termination = is_cancellable_ ? context_->termination() : nullptr) {
    const Lock lock(termination->mutex);
    termination->unfinished.erase(this);
  }
}

void Event::enter(cl_int state) noexcept {
  if (is_stamped_) {
    times_[CL_QUEUED - state].store(monotonic_nanoseconds(), std::memory_order_relaxed);
    if (state == CL_RUNNING)
      tell_begin();
  }
  status_.store(state, std::memory_order_release);
  if (has_callbacks_.load(std::memory_order_acquire))
    call_back(state);
}

void Event::finish(cl_int status, ReadyList& ready) noexcept {
  if (is_linked_)
    ending(status, ready);
  if (is_stamped_) {
    const auto now = monotonic_nanoseconds();
    times_[4].store(now, std::memory_order_relaxed);
    std::uint64_t not_ended = 0;
    times_[3].compare_exchange_strong(not_ended, now, std::memory_order_relaxed);
    trace_end(status);
  }
  Edge first{};
  std::vector<Edge> more;
  {
    const Lock lock(mutex_);
    // Sequentially consistent, before has_waiter_ is read: see expect_waiter().
    status_.store(status, std::memory_order_seq_cst);
    first = std::move(first_edge_);
    more.swap(more_edges_);
  }
  if (has_waiter_.load(std::memory_order_seq_cst))
    scheduler::notify_sleepers();
  // Before the dependents can run and finish: their callbacks are called later.
  if (has_callbacks_.load(std::memory_order_acquire))
    call_back(status);
  const auto release = [&](Edge& edge) {
    edge.dependent->dependency_done(status < 0 && edge.dependency == Dependency::wait_list, ready);
  };
  if (first.dependent)
    release(first);
  for (auto& edge : more)
    release(edge);
}

std::uint64_t Event::waited() const noexcept {
  const auto queued = times_[0].load(std::memory_order_relaxed);
  const auto started = times_[2].load(std::memory_order_relaxed);
  return queued != 0 && started > queued ? started - queued : 0;
}

void Event::tell_begin() const noexcept {
  if (queue_ && trace::tells(trace::Kind::command))
    trace::begin_command(this, type_, trace_name());
}

void Event::trace_end(cl_int status) const noexcept {
  if (!queue_)
    return;
  const auto time = [&](unsigned index) { return times_[index].load(std::memory_order_relaxed); };
  const auto name = trace_name();
  if (trace::tells(trace::Kind::command)) {
    if (time(2) == 0) // it has not run
      tell_begin();
    trace::end_command(this, name);
  }
  if (!trace::records(trace::Kind::command))
    return;
  trace::add(trace::Kind::command, time(2) != 0 ? time(2) : time(4), time(4), name,
             {trace::number_of(this), trace::number_of(queue_), type_, time(0), time(1), time(3)},
             status, !name.empty());
}

cl_int Event::add_callback(cl_int state, Callback callback, void* user_data) noexcept {
  auto* made = scheduler::make_callback(state, callback, user_data);
  if (!made)
    return CL_OUT_OF_HOST_MEMORY;
  {
    const Lock lock(mutex_);
    if (status() > state) {
      auto** end = &callbacks_;
      while (*end)
        end = &(*end)->next;
      *end = made;
      has_callbacks_.store(true, std::memory_order_release);
      return CL_SUCCESS;
    }
  }
  // The state has been reached. The callback gets an error as it is, otherwise the requested state.
  const auto reached = status();
  made->event = Ref<Event>(this);
  made->state = reached < 0 ? reached : state;
  scheduler::call_back(made);
  scheduler::run_callbacks(); // here, because no later command may do it
  return CL_SUCCESS;
}

void Event::call_back(cl_int reached) noexcept {
  PendingCallback* due = nullptr;
  {
    const Lock lock(mutex_);
    auto** end = &due;
    for (auto** entry = &callbacks_; *entry;) {
      if ((*entry)->state < reached) {
        entry = &(*entry)->next;
        continue;
      }
      *end = *entry;
      *entry = (*entry)->next;
      end = &(*end)->next;
      *end = nullptr;
    }
  }
  while (auto* callback = due) {
    due = callback->next;
    callback->next = nullptr;
    callback->event = Ref<Event>(this);
    if (reached < 0)
      callback->state = reached;
    scheduler::call_back(callback);
  }
}

void UserEvent::on_user_released() noexcept {
  auto* termination = context().termination();
  const Lock lock(mutex_);
  if (finished() || !first_edge_.dependent)
    return;
  if (termination) {
    const Lock termination_lock(termination->mutex);
    if (termination->is_terminated.load(std::memory_order_relaxed))
      return; // its dependents have ended
    try {
      termination->abandoned.emplace_back(this);
      return;
    } catch (const std::bad_alloc&) {
      // As in other contexts.
    }
  }
  retain();
}

void Event::wait() noexcept { scheduler::wait(*this); }

bool Event::profiling_time(cl_profiling_info name, cl_ulong* nanoseconds) const noexcept {
  if (!profiling_ || status() != CL_COMPLETE)
    return false;
  const auto index = name == CL_PROFILING_COMMAND_COMPLETE ? 4 : name - CL_PROFILING_COMMAND_QUEUED;
  *nanoseconds = times_[index].load(std::memory_order_relaxed);
  return true;
}

} // namespace heddle
