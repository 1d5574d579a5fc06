// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/semaphore_command.h"

#include "runtime/execution/scheduler.h"

#include <new>
#include <utility>

namespace heddle {
namespace {

constexpr cl_command_type kWait = 0x2042;   // CL_COMMAND_SEMAPHORE_WAIT_KHR
constexpr cl_command_type kSignal = 0x2043; // CL_COMMAND_SEMAPHORE_SIGNAL_KHR

} // namespace

SemaphoreCommand::SemaphoreCommand(Queue& queue, Action action, Payloads payloads) noexcept
    : Command(queue, action == Action::wait ? kWait : kSignal), action_(action),
      payloads_(std::move(payloads)) {
  link();
}

// Tells the semaphores of this command, in the order of the list; all of them or none.
void SemaphoreCommand::add() {
  std::size_t count = 0;
  try {
    for (; count < payloads_.size(); ++count) {
      auto& payload = *payloads_[count];
      if (action_ == Action::wait)
        payload.add_wait(Ref<Event>(this));
      else
        payload.add_signal(*this);
    }
  } catch (...) {
    ReadyList ready;
    end(count, true, ready);
    scheduler::publish(ready);
    throw;
  }
}

void SemaphoreCommand::end(std::size_t count, bool has_failed, ReadyList& ready) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    auto& payload = *payloads_[i];
    if (action_ == Action::wait)
      payload.end_wait(*this, has_failed, ready);
    else
      payload.end_signal(*this, has_failed, ready);
  }
}

cl_int SemaphoreCommand::enqueue(Queue& queue, Action action,
                                 std::span<Semaphore* const> semaphores,
                                 std::span<Event* const> waits, cl_event* event) {
  Payloads kept;
  kept.reserve(semaphores.size());
  for (const auto* semaphore : semaphores)
    kept.push_back(semaphore->payload());
  const auto command = Ref<SemaphoreCommand>::adopt(
      new (std::nothrow) SemaphoreCommand(queue, action, std::move(kept)));
  if (!command)
    return CL_OUT_OF_HOST_MEMORY;
  command->add();
  const auto error = queue.enqueue(Ref<Command>(command.get()), waits, event, false);
  if (error) {
    ReadyList ready;
    command->end(command->payloads_.size(), true, ready);
    scheduler::publish(ready);
  }
  scheduler::run_callbacks();
  return error;
}

} // namespace heddle
