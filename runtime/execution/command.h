// What queues execute. A command is its own event.
#pragma once

#include "runtime/execution/event.h"
#include "runtime/execution/kernel_launch.h"

#include <new>
#include <utility>

namespace heddle {

class Command : public Event {
 public:
  // Does the work on a worker (or a waiting) thread: CL_COMPLETE or a negative error, which becomes
  // the event's status. May use other threads through the device's executor, and returns when all
  // of it is done.
  virtual cl_int execute() noexcept = 0;

 protected:
  Command(Queue& queue, cl_command_type type);
};

// A command whose work is a callable cl_int(); what it captures lives until the command is
// complete.
template <class Body>
class CallableCommand final : public Command {
 public:
  CallableCommand(Queue& queue, cl_command_type type, Body body)
      : Command(queue, type), body_(std::move(body)) {}
  cl_int execute() noexcept override { return body_(); }

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
