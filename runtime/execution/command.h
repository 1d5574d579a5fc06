// What queues execute. A command is its own event.
#pragma once

#include "runtime/execution/event.h"
#include "runtime/execution/kernel_launch.h"

#include <new>
#include <optional>
#include <utility>

namespace heddle {

class Command : public Event {
 public:
  // Does the work on a worker or a waiting thread: CL_COMPLETE or a negative error, which becomes
  // the event's status. Nothing when the work goes on elsewhere: whoever does the last of it calls
  // scheduler::finished().
  virtual std::optional<cl_int> execute(Executor& executor) noexcept = 0;
  // True if a worker should be woken at once rather than the command left to a thread that waits.
  virtual bool is_large() const noexcept { return false; }

 protected:
  Command(Queue& queue, cl_command_type type);
};

// A command whose work is a callable cl_int(); what it captures lives until the command is deleted.
template <class Body>
class CallableCommand final : public Command {
 public:
  CallableCommand(Queue& queue, cl_command_type type, Body body)
      : Command(queue, type), body_(std::move(body)) {}
  std::optional<cl_int> execute(Executor&) noexcept override { return body_(); }

 private:
  Body body_;
};

// Null when memory is exhausted.
template <class Body>
Ref<Command> make_command(Queue& queue, cl_command_type type, Body body) {
  return Ref<Command>::adopt(new (std::nothrow)
                                 CallableCommand<Body>(queue, type, std::move(body)));
}

Ref<Command> make_kernel_command(Queue& queue, cl_command_type type, KernelLaunch launch);

} // namespace heddle
