#include "runtime/execution/queue.h"

#include "runtime/execution/scheduler.h"

#include <new>

namespace heddle {
namespace {

// Does nothing: finishes as soon as what it waits for has.
class MarkerCommand final : public Command {
 public:
  MarkerCommand(Queue& queue, cl_command_type type) : Command(queue, type) {}
  std::optional<cl_int> execute(Executor&) noexcept override { return CL_COMPLETE; }
};

} // namespace

Command::Command(Queue& queue, cl_command_type type) : Event(queue.context(), &queue, type) {}

Queue::Queue(Context& context, Device& device, cl_command_queue_properties flags,
             std::vector<cl_queue_properties> properties)
    : Object(Kind::queue), context_(&context), device_(&device), flags_(flags),
      properties_(std::move(properties)) {}

Queue::~Queue() = default;

cl_int Queue::enqueue(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                      bool blocking) noexcept {
  return enqueue_behind(std::move(command), waits, event, blocking, false, false);
}

cl_int Queue::enqueue_marker(std::span<Event* const> waits, cl_event* event,
                             bool barrier) noexcept {
  auto command = Ref<Command>::adopt(
      new (std::nothrow) MarkerCommand(*this, barrier ? CL_COMMAND_BARRIER : CL_COMMAND_MARKER));
  return enqueue_behind(std::move(command), waits, event, false, waits.empty(), barrier);
}

cl_int Queue::enqueue_behind(Ref<Command> command, std::span<Event* const> waits, cl_event* event,
                             bool blocking, bool behind_all, bool is_barrier) noexcept try {
  if (!command)
    return CL_OUT_OF_HOST_MEMORY;
  if (event) {
    command->retain_user();
    *event = static_cast<cl_event>(command->handle());
    if (!*event) {
      (void)command->release_user();
      return CL_OUT_OF_HOST_MEMORY;
    }
  }
  if (profiling())
    command->stamp_queued();
  bool failed = false;
  for (auto* wait : waits)
    if (!wait->add_dependant(*command, Event::Dependency::wait_list))
      failed |= wait->failed();
  {
    // Commands of one queue pass here one after the other, which is the order that counts.
    const std::lock_guard lock(mutex_);
    if (in_order()) {
      if (last_)
        last_->add_dependant(*command, Event::Dependency::queue_order);
      last_ = command;
    } else {
      if (behind_all)
        for (auto* earlier : unfinished_)
          earlier->add_dependant(*command, Event::Dependency::queue_order);
      if (barrier_)
        barrier_->add_dependant(*command, Event::Dependency::queue_order);
      unfinished_.insert(command.get());
      if (is_barrier)
        barrier_ = command;
    }
  }
  ReadyList ready;
  command->dependency_done(failed, ready);
  scheduler::submit(ready, blocking);
  scheduler::run_callbacks();
  if (!blocking)
    return CL_SUCCESS;
  scheduler::wait(*command);
  const auto status = command->status();
  if (status >= 0)
    return CL_SUCCESS;
  return status;
} catch (const std::bad_alloc&) {
  return CL_OUT_OF_HOST_MEMORY;
}

void Queue::forget(Event& event) noexcept {
  const std::lock_guard lock(mutex_);
  if (in_order()) {
    if (last_.get() == &event)
      last_ = nullptr;
    return;
  }
  unfinished_.erase(&event);
  if (barrier_.get() == &event)
    barrier_ = nullptr;
}

// Commands are handed to the workers when they are enqueued, so that nothing is left to do.
cl_int Queue::flush() noexcept { return CL_SUCCESS; }

cl_int Queue::finish() noexcept {
  for (;;) {
    Ref<Event> event;
    {
      const std::lock_guard lock(mutex_);
      if (in_order())
        event = last_;
      else if (!unfinished_.empty())
        event = Ref<Event>(*unfinished_.begin());
    }
    if (!event)
      return CL_SUCCESS;
    scheduler::wait(*event);
    if (in_order())
      return CL_SUCCESS;
    forget(*event);
  }
}

} // namespace heddle
