// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs commands whose dependencies are complete: the connection between queues and executors.
#pragma once

#include "runtime/execution/command.h"
#include "runtime/execution/executor.h"

namespace heddle::scheduler {

// Passes events whose dependencies are complete to their devices' executors.
void submit(ReadyList& ready, Taker taker) noexcept;
inline void publish(ReadyList& ready) noexcept { submit(ready, Taker::any); }

// Executes the command and then, one after the other, the commands that become ready, until none is
// left, other threads continue the work, or `until` (may be null) has finished; the remaining ones
// are passed to the executors. `spin_queue` (may be null) is as in Queue::advance().
void run(Ref<Command> command, Executor& executor, const Event* until,
         Ref<Queue>* spin_queue) noexcept;

// Finishes a command whose execute() returned nothing.
void finished(Command& command, cl_int status) noexcept;

// Ends a command that Event::cancel() has given to the caller, which keeps it, with
// CL_CONTEXT_TERMINATED_KHR, and then those of the context that are ready.
void finish_cancelled(Event& command) noexcept;

// Runs ready commands of the event's queue, or sleeps, until the event has finished.
void wait(Event& event) noexcept;

// Wakes threads that sleep in wait(), which then check their event and look for work.
void notify_sleepers() noexcept;

// Null without memory.
PendingCallback* make_callback(cl_int state, Event::Callback function, void* user_data) noexcept;
// For one that is never due.
void discard_callback(PendingCallback* callback) noexcept;

// Defers a callback whose event is set until run_callbacks(), which the same thread calls when it
// holds no lock and all commands that the event made ready are published: the callback may enqueue
// and wait. Takes ownership. If the event has finished, another thread may call it earlier: the one
// that calls those of the queue's commands that finished before.
void call_back(PendingCallback* callback) noexcept;
bool has_callbacks() noexcept; // of this thread
void run_callbacks() noexcept;
// Before the calling thread waits, perhaps in a callback: later callbacks do not wait for that one.
void pass_callbacks_on() noexcept;

} // namespace heddle::scheduler
