// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/queue.h"

#include "runtime/core/clock.h"
#include "runtime/core/lock.h"
#include "runtime/core/process.h"
#include "runtime/execution/device_executor.h"
#include "runtime/execution/scheduler.h"
#include "runtime/trace/trace.h"

#include <exception>
#include <mutex>
#include <new>

namespace heddle {
namespace {

// A thread that has run all commands that it took does not take fewer brief ones at once: others
// follow soon, or the host waits for them and runs them itself. To take each alone would move the
// queue's cache line twice for each.
constexpr unsigned kLeastBatch = 8;
// What is read of a kernel's command, which the enqueueing thread has written.
constexpr std::size_t kCacheLine = 64, kCommandLines = 11;

// Does nothing: finishes when its dependencies are complete.
class MarkerCommand final : public Command {
 public:
  MarkerCommand(Queue& queue, cl_command_type type) : Command(queue, type) {}
  std::optional<cl_int> execute(Executor&) noexcept override { return CL_COMPLETE; }
};

} // namespace

Command::Command(Queue& queue, cl_command_type type)
    : Event(queue.context(), &queue, type, queue.profiling(), Kind::event) {}

Command::Command(Command& parent, Command& scope, cl_command_type type, bool profiling)
    : Event(parent.context(), parent.queue(), type, profiling, Kind::device_event), scope_(&scope) {
}

Queue::Queue(Context& context, Device& device, cl_command_queue_properties flags, QueueHints hints,
             std::vector<cl_queue_properties> properties)
    : Object(Kind::queue), context_(&context), device_(&device), flags_(flags), hints_(hints),
      properties_(std::move(properties)) {
  context.add_queue(*this);
}

Queue::~Queue() { context_->remove_queue(*this); }

cl_int Queue::enqueue(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                      bool blocking) noexcept {
  return enqueue_command(std::move(command), waits, event, blocking, false, false);
}

cl_int Queue::enqueue_marker(std::span<Event* const> waits, cl_event* event,
                             bool barrier) noexcept {
  auto command = Ref<Command>::adopt(
      new (std::nothrow) MarkerCommand(*this, barrier ? CL_COMMAND_BARRIER : CL_COMMAND_MARKER));
  return enqueue_command(std::move(command), waits, event, false, waits.empty(), barrier);
}

cl_int Queue::enqueue_after_all(Ref<Command> command) noexcept {
  return enqueue_command(std::move(command), {}, nullptr, false, true, false);
}

bool Queue::is_idle() noexcept {
  const Lock lock(mutex_);
  return in_order() ? !active_ || (has_spin_waiter_ && !has_incoming()) : unfinished_ == nullptr;
}

cl_int Queue::enqueue_command(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                              bool blocking, bool waits_for_all, bool is_barrier) noexcept {
  if (!command)
    return CL_OUT_OF_HOST_MEMORY;
  if (context_->is_terminated())
    return CL_CONTEXT_TERMINATED_KHR;
  // If enqueueing fails, the events of the wait list keep an edge to the command that never makes
  // it ready.
  cl_event shown = nullptr;
  bool failed = false;
  bool is_ready = false;
  // Other threads may release the queue while this one waits below.
  const Ref<Queue> keep_queue(blocking ? this : nullptr);
  auto* const added = command.get();
  const bool is_cancellable = added->is_cancellable();
  // This thread resolves a dependency after the command is in the queue.
  const bool holds = is_cancellable || !waits.empty() || added->is_linked();
  const Ref<Command> keep(blocking || holds ? added : nullptr);
  try {
    (void)executor_of(*this); // a forked child may have to create it
    if (event) {
      shown = static_cast<cl_event>(command->show_to_user());
      if (!shown)
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (added->is_stamped())
      added->stamp_queued();
    if (trace::records(trace::Kind::wait))
      for (auto* wait : waits)
        trace::add(trace::Kind::wait, monotonic_nanoseconds(), 0, {},
                   {trace::number_of(wait), trace::number_of(added)});
    for (auto* wait : waits)
      if (!wait->add_dependent(*command, Event::Dependency::wait_list))
        failed |= wait->failed();
    if (event)
      *event = shown; // before the command can run: its callbacks may read it
    if (is_cancellable)
      added->remember();
    if (in_order())
      put_in_order(command, holds, is_ready);
    else
      put_out_of_order(*command, waits_for_all, is_barrier);
  } catch (const std::exception& error) {
    added->forget();
    if (shown) {
      *event = nullptr;
      added->hide_from_user();
    }
    return dynamic_cast<const std::bad_alloc*>(&error) ? CL_OUT_OF_HOST_MEMORY
                                                       : CL_OUT_OF_RESOURCES;
  }
  ReadyList ready;
  if (in_order() && !holds) {
    if (is_ready)
      ready.push(std::move(command));
  } else {
    added->dependency_done(failed, ready);
  }
  command = nullptr;
  if (!ready.empty())
    scheduler::submit(ready, blocking ? Taker::caller : Taker::probably_caller);
  if (is_cancellable && keep->context().is_terminated() && keep->cancel()) // meanwhile
    scheduler::finish_cancelled(*keep);
  scheduler::run_callbacks();
  if (!blocking)
    return CL_SUCCESS;
  scheduler::wait(*keep);
  const auto status = keep->status();
  return status >= 0 ? CL_SUCCESS : status;
}

// If the caller holds the command, it keeps it and afterwards resolves the initial dependency that
// every command has. Otherwise that initial dependency stands for the preceding command: either
// the queue's list takes over the caller's reference, or there is no preceding command and
// `is_ready` is set.
void Queue::put_in_order(Ref<Command>& command, bool holds, bool& is_ready) noexcept {
  auto* added = command.get();
  const bool brief = command->is_brief();
  // The order in which threads acquire this lock is the order of the commands.
  const Lock lock(mutex_);
  // The spin-waiting thread does not exist in a forked child.
  const bool abandoned =
      has_spin_waiter_ && spin_wait_fork_generation_ != process::fork_generation();
  if (!active_ || abandoned) {
    if (!active_)
      retain();
    active_ = true;
    has_spin_waiter_ = false;
    batch_last_ = command;
    is_ready = true;
    added->set_in_turn();
    return;
  }
  if (holds)
    added->expect_dependency();
  auto* first = incoming_first_.load(std::memory_order_relaxed);
  if (first)
    incoming_last_->next_in_queue_ = added;
  else
    incoming_first_.store(added, std::memory_order_relaxed);
  incoming_last_ = added;
  ++incoming_count_;
  if (!brief)
    has_urgent_.store(true, std::memory_order_relaxed);
  (void)command.leak();
}

void Queue::put_out_of_order(Command& command, bool waits_for_all, bool is_barrier) {
  const Lock lock(mutex_);
  if (waits_for_all) {
    command.waits_for_all_ = true;
    // From the newest to the first one that itself waits for all earlier ones.
    for (auto* earlier = unfinished_; earlier; earlier = earlier->next_in_queue_) {
      earlier->add_dependent(command, Event::Dependency::queue_order);
      if (earlier->waits_for_all_)
        break;
    }
  }
  if (barrier_)
    barrier_->add_dependent(command, Event::Dependency::queue_order);
  command.next_in_queue_ = unfinished_;
  if (unfinished_)
    unfinished_->previous_in_queue_ = &command;
  unfinished_ = &command;
  command.is_in_queue_ = true;
  command.set_in_turn();
  if (is_barrier)
    barrier_ = Ref<Event>(&command);
  retain(); // until advance()
}

void Queue::remove(Event& event) noexcept {
  Ref<Event> barrier; // released without the lock
  const Lock lock(mutex_);
  if (event.is_in_queue_) {
    event.is_in_queue_ = false;
    (event.previous_in_queue_ ? event.previous_in_queue_->next_in_queue_ : unfinished_) =
        event.next_in_queue_;
    if (event.next_in_queue_)
      event.next_in_queue_->previous_in_queue_ = event.previous_in_queue_;
    if (barrier_.get() == &event)
      std::swap(barrier, barrier_);
  }
}

Event* Queue::take_incoming() noexcept {
  auto* first = incoming_first_.load(std::memory_order_relaxed);
  if (first) {
    incoming_first_.store(nullptr, std::memory_order_relaxed);
    has_urgent_.store(false, std::memory_order_relaxed);
    incoming_count_ = 0;
    batch_last_ = Ref<Event>(incoming_last_);
  }
  return first;
}

void Queue::advance(Command& command, ReadyList& ready, Ref<Queue>* spin_queue) noexcept {
  if (!in_order()) {
    remove(command);
    release();
    return;
  }
  auto* next = batch_;
  Ref<Event> done; // released without the lock
  if (!next) {
    const Lock lock(mutex_);
    std::swap(done, batch_last_);
    if (!spin_queue || is_released() || has_urgent() || incoming_count_ >= kLeastBatch)
      next = take_incoming();
    if (!next && spin_queue && !is_released()) {
      has_spin_waiter_ = true;
      spin_wait_fork_generation_ = process::fork_generation();
      *spin_queue = Ref<Queue>(this);
      return;
    }
    if (!next)
      active_ = false;
  }
  if (next)
    begin(next, ready);
  else
    release();
}

void Queue::begin(Event* next, ReadyList& ready) noexcept {
  batch_ = next->next_in_queue_;
  if (batch_)
    for (std::size_t line = 0; line < kCommandLines; ++line)
      __builtin_prefetch(reinterpret_cast<const char*>(batch_) + kCacheLine * line);
  next->next_in_queue_ = nullptr;
  Event::order_dependency_done(Ref<Event>::adopt(next), ready);
}

void Queue::on_user_released() noexcept { released_.store(true, std::memory_order_relaxed); }

void Queue::resume(ReadyList& ready) noexcept {
  Event* next = nullptr;
  {
    const Lock lock(mutex_);
    if (!has_spin_waiter_ || !has_incoming())
      return;
    has_spin_waiter_ = false;
    next = take_incoming();
  }
  begin(next, ready);
}

void Queue::stop_spin_wait(ReadyList& ready) noexcept {
  Event* next = nullptr;
  {
    const Lock lock(mutex_);
    if (!has_spin_waiter_)
      return;
    has_spin_waiter_ = false;
    next = take_incoming();
    active_ = next != nullptr;
  }
  if (next)
    begin(next, ready);
  else
    release();
}

// Commands are passed to the workers when they are enqueued, but a brief one may wait for a thread
// that is busy for longer than expected.
cl_int Queue::flush() noexcept try {
  executor_of(*this).wake_if_pending();
  return CL_SUCCESS;
} catch (const std::exception&) {
  return CL_OUT_OF_RESOURCES;
}

cl_int Queue::finish() noexcept {
  const Ref<Queue> keep(this); // other threads may release it meanwhile
  for (;;) {
    Ref<Event> event;
    {
      const Lock lock(mutex_);
      if (!in_order())
        event = Ref<Event>(unfinished_);
      else if (has_incoming())
        event = Ref<Event>(incoming_last_);
      else
        event = batch_last_;
    }
    if (!event)
      return CL_SUCCESS;
    scheduler::wait(*event);
    if (in_order())
      return CL_SUCCESS;
    remove(*event);
  }
}

} // namespace heddle
