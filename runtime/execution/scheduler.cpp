// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/scheduler.h"

#include "runtime/core/clock.h"
#include "runtime/execution/device_executor.h"
#include "runtime/execution/queue.h"
#include "runtime/target/instructions.h"

#include <CL/cl_ext.h>
#include <climits>

#include <atomic>
#include <exception>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::scheduler {
namespace {

constexpr long kSleepNanoseconds = 200'000'000;
// After this many commands of one chain a thread checks for other pending work.
constexpr unsigned kMaxConsecutive = 64;

std::atomic<std::uint32_t> sleep_epoch{0};
std::atomic<std::uint32_t> sleepers{0};

// Finishes the command, and those that are complete with it because a kernel of theirs enqueued it,
// and appends the commands that become ready. The queue may be destroyed afterwards.
void finish(Command& command, cl_int status, ReadyList& ready, Ref<Queue>* spin_queue) noexcept {
  auto* finished = &command;
  Ref<Command> keep;
  for (;;) {
    if (finished->is_cancellable()) {
      finished->forget();
      if (finished->context().is_terminated())
        status = CL_CONTEXT_TERMINATED_KHR;
    }
    finished->finish(status, ready);
    auto scope = finished->take_scope();
    if (!scope)
      break;
    const auto complete = scope->child_finished(status);
    if (!complete)
      return;
    status = *complete;
    finished = scope.get();
    keep = std::move(scope);
  }
  // Callbacks may block the thread, so it must not keep a queue.
  finished->queue()->advance(*finished, ready,
                             has_callbacks() || !ready.empty() ? nullptr : spin_queue);
}

} // namespace

void submit(ReadyList& ready, Taker taker) noexcept {
  while (auto event = ready.pop()) {
    auto command = Ref<Command>::adopt(static_cast<Command*>(event.leak()));
    Executor* executor = nullptr;
    try {
      executor = &executor_of(*command->queue());
    } catch (const std::exception&) { // no memory or threads for a new one in a forked child
      finish(*command, CL_OUT_OF_RESOURCES, ready, nullptr);
      continue;
    }
    if (command->status() == CL_QUEUED)
      command->enter(CL_SUBMITTED);
    executor->push(std::move(command), taker);
  }
}

void run(Ref<Command> command, Executor& executor, const Event* until,
         Ref<Queue>* spin_queue) noexcept {
  for (unsigned count = 1; command; ++count) {
    if (!command->begin())
      return;
    cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (command->always_executes() ||
        (!command->dependency_failed() && !command->context().is_terminated())) {
      if (command->status() == CL_QUEUED)
        command->enter(CL_SUBMITTED);
      command->enter(CL_RUNNING);
      if (has_callbacks()) {
        executor.begin_callbacks();
        run_callbacks();
        executor.end_callbacks();
      }
      const auto result = command->execute(executor);
      if (!result)
        return;
      status = *result;
    }
    const auto priority = command->queue()->hints().priority;
    ReadyList ready;
    finish(*command, status, ready, spin_queue);
    auto next = ready.pop();
    command = nullptr;
    if (!next)
      return;
    if (!(until && until->finished()) && !has_callbacks()) {
      auto* candidate = static_cast<Command*>(next.get());
      // Fairness: other pending commands run now and then.
      const bool fair = count % kMaxConsecutive != 0 || !executor.has_pending();
      if (fair && &executor_of(*candidate->queue()) == &executor &&
          candidate->queue()->hints().priority == priority && !candidate->is_large()) {
        command = Ref<Command>::adopt(static_cast<Command*>(next.leak()));
        if (!ready.empty())
          submit(ready, Taker::any);
        continue;
      }
    }
    ReadyList first;
    first.push(std::move(next));
    submit(first, Taker::any);
    submit(ready, Taker::any);
  }
}

void finish_cancelled(Event& event) noexcept {
  ReadyList ready;
  finish(static_cast<Command&>(event), CL_CONTEXT_TERMINATED_KHR, ready, nullptr);
  while (const auto next = ready.pop())
    if (next->begin())
      finish(static_cast<Command&>(*next), CL_CONTEXT_TERMINATED_KHR, ready, nullptr);
}

void finished(Command& command, cl_int status) noexcept {
  ReadyList ready;
  finish(command, status, ready, nullptr);
  submit(ready, Taker::any);
}

void wait(Event& event) noexcept {
  if (event.finished())
    return;
  pass_callbacks_on();
  auto* queue = event.queue();
  auto* executor = queue ? &executor_of(*queue) : nullptr;
  const auto spin_nanoseconds = (queue ? queue->hints() : QueueHints{}).spin_nanoseconds();
  std::uint64_t idle_since = 0;
  while (!event.finished()) {
    if (executor && executor->help(*queue, event)) {
      idle_since = 0;
      continue;
    }
    const auto now = monotonic_nanoseconds();
    if (idle_since == 0)
      idle_since = now;
    if (now - idle_since < spin_nanoseconds) {
      for (int i = 0; i < 16 && !event.finished(); ++i)
        spin_pause();
      continue;
    }
    const auto epoch = sleep_epoch.load(std::memory_order_acquire);
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    event.expect_waiter();
    if (executor)
      executor->wake_if_pending();
    if (!event.finished()) {
      // With a timeout, in case the system had no thread for the work.
      const timespec moment{0, kSleepNanoseconds};
      syscall(SYS_futex, &sleep_epoch, FUTEX_WAIT_PRIVATE, epoch, &moment, nullptr, 0);
    }
    sleepers.fetch_sub(1, std::memory_order_relaxed);
    idle_since = 0;
  }
}

void notify_sleepers() noexcept {
  if (sleepers.load(std::memory_order_seq_cst) == 0)
    return;
  sleep_epoch.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &sleep_epoch, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace heddle::scheduler
