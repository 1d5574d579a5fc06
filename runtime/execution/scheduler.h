// Moves commands from "dependencies done" to "finished": the steps between queues and executors.
#pragma once

#include "runtime/execution/command.h"

namespace heddle::scheduler {

// Hands events whose dependencies are done to their devices' executors. With `will_wait` the
// calling thread is about to wait for them, and no worker is woken for a small one.
void submit(ReadyList& ready, bool will_wait) noexcept;
inline void publish(ReadyList& ready) noexcept { submit(ready, false); }

// Executes the command and, one after the other, what it makes ready, until there is nothing left,
// the work goes on elsewhere, or `until` (may be null) has finished; what is then left goes to the
// executors. With `linger` the caller lingers with the queue that is put there (Queue::advance).
void run(Ref<Command> command, Executor& executor, const Event* until, Ref<Queue>* linger) noexcept;

// The end of a command whose execute() said that work goes on elsewhere.
void finished(Command& command, cl_int status) noexcept;

// Works on ready commands of the event's queue, or sleeps, until the event has finished.
void wait(Event& event) noexcept;

// Wakes threads that sleep in wait(), to look whether their event has finished or there is work for
// them.
void notify_sleepers() noexcept;

// Keeps a callback until run_callbacks(), which the same thread calls when it holds no lock and
// everything that the event made ready has been published: the callback may enqueue and wait.
// Takes over what it points to.
void call_back(PendingCallback* callback) noexcept;
bool has_callbacks() noexcept;
void run_callbacks() noexcept;

} // namespace heddle::scheduler
