// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of queues. A command is its own event.
#pragma once

#include "runtime/core/block_pool.h"
#include "runtime/execution/event.h"
#include "runtime/execution/kernel_launch.h"

#include <new>
#include <optional>
#include <utility>

namespace heddle {

class Command : public Event {
 public:
  // Executes the command on a worker or a waiting thread. Returns CL_COMPLETE or a negative error,
  // which becomes the event's status, or nothing if other threads continue the work: the one that
  // ends it calls scheduler::finished().
  virtual std::optional<cl_int> execute(Executor& executor) noexcept = 0;
  // True if a worker is woken at once although a thread is about to wait for the command.
  virtual bool is_large() const noexcept { return false; }
  // Of commands that kernels enqueue: the command whose completion waits for this one; null for
  // those of the host.
  Command* scope() const noexcept { return scope_.get(); }
  Ref<Command> take_scope() noexcept { return std::move(scope_); }
  // A command whose scope this is has finished. The status if this command is complete therefore.
  virtual std::optional<cl_int> child_finished(cl_int) noexcept { return std::nullopt; }
  // Also when the context is terminated.
  virtual bool always_executes() const noexcept { return false; }
  // True if the command is known to be so short that a busy thread may run it next.
  virtual bool is_brief() const noexcept { return false; }

  static void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return block_pool::allocate(bytes);
  }
  static void operator delete(void* block, std::size_t bytes) noexcept {
    block_pool::release(block, bytes);
  }

 protected:
  Command(Queue& queue, cl_command_type type);
  // Enqueued by the kernel `parent`. Belongs to the queue of the host's command that it descends
  // from, whose threads run it, but not to the order of that queue.
  Command(Command& parent, Command& scope, cl_command_type type, bool profiling);

 private:
  Ref<Command> scope_;
};

// A command that calls a callable cl_int(); its captures live until the command is deleted.
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

Ref<Command> make_kernel_command(Queue& queue, cl_command_type type, KernelLaunch&& launch);

} // namespace heddle
