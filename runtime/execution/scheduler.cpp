#include "runtime/execution/scheduler.h"

#include "runtime/core/clock.h"
#include "runtime/execution/executor.h"
#include "runtime/execution/queue.h"

#include <climits>

#include <atomic>
#include <deque>
#include <immintrin.h>
#include <linux/futex.h>
#include <new>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace heddle::scheduler {
namespace {

// How long a waiting thread looks for its event and for work before it sleeps.
constexpr std::uint64_t kSpinNanoseconds = 50'000;
constexpr unsigned kMostNestedCallbacks = 8;

std::atomic<std::uint32_t> sleep_epoch{0};
std::atomic<std::uint32_t> sleepers{0};

struct PendingCallback {
  Ref<Event> event;
  Event::Callback function;
  cl_int status;
  void* user_data;
};

struct ThreadState {
  std::deque<PendingCallback> callbacks;
};

ThreadState& thread_state() {
  thread_local ThreadState state;
  return state;
}

thread_local unsigned pending_callbacks = 0;

// Marks the command finished; what that makes ready is appended.
void finish(Command& command, cl_int status, ReadyList& ready) noexcept {
  command.finish(status, ready);
  command.queue()->forget(command);
}

} // namespace

void submit(ReadyList& ready, bool will_wait) noexcept {
  while (auto event = ready.pop()) {
    auto* command = static_cast<Command*>(event.leak());
    if (command->status() == CL_QUEUED)
      command->enter(CL_SUBMITTED);
    auto& executor = command->queue()->device().executor();
    const bool wake = !will_wait || command->is_large();
    executor.push(Ref<Command>::adopt(command), wake);
  }
}

void run(Ref<Command> command, Executor& executor, const Event* until) noexcept {
  while (command) {
    cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (!command->dependency_failed()) {
      if (command->status() == CL_QUEUED)
        command->enter(CL_SUBMITTED);
      command->enter(CL_RUNNING);
      if (pending_callbacks != 0) {
        executor.leave();
        run_callbacks();
        executor.enter();
      }
      const auto result = command->execute(executor);
      if (!result)
        return;
      status = *result;
    }
    ReadyList ready;
    finish(*command, status, ready);
    auto next = ready.pop();
    command = nullptr;
    if (next && !(until && until->finished()) && !has_callbacks()) {
      auto* candidate = static_cast<Command*>(next.get());
      if (&candidate->queue()->device().executor() == &executor && !candidate->is_large()) {
        command = Ref<Command>::adopt(static_cast<Command*>(next.leak()));
        submit(ready, false);
        continue;
      }
    }
    if (next) {
      ReadyList first;
      first.push(std::move(next));
      submit(first, false);
    }
    submit(ready, false);
  }
}

void finished(Command& command, cl_int status) noexcept {
  ReadyList ready;
  finish(command, status, ready);
  submit(ready, false);
}

void wait(Event& event) noexcept {
  auto* queue = event.queue();
  auto* executor = queue ? &queue->device().executor() : nullptr;
  std::uint64_t idle_since = 0;
  while (!event.finished()) {
    if (executor && executor->help(*queue, event)) {
      idle_since = 0;
      continue;
    }
    const auto now = monotonic_nanoseconds();
    if (idle_since == 0)
      idle_since = now;
    if (now - idle_since < kSpinNanoseconds) {
      for (int i = 0; i < 16 && !event.finished(); ++i)
        _mm_pause();
      continue;
    }
    const auto epoch = sleep_epoch.load(std::memory_order_acquire);
    sleepers.fetch_add(1, std::memory_order_seq_cst);
    event.expect_waiter();
    if (executor)
      executor->offer();
    if (!event.finished())
      syscall(SYS_futex, &sleep_epoch, FUTEX_WAIT_PRIVATE, epoch, nullptr, nullptr, 0);
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

void call_back(Ref<Event> event, Event::Callback function, cl_int status,
               void* user_data) noexcept {
  thread_state().callbacks.push_back({std::move(event), function, status, user_data});
  ++pending_callbacks;
}

bool has_callbacks() noexcept { return pending_callbacks != 0; }

void run_callbacks() noexcept {
  if (pending_callbacks == 0)
    return;
  thread_local unsigned depth = 0;
  if (depth == kMostNestedCallbacks) {
    // Callbacks that wait inside callbacks that wait: go on with a fresh stack.
    auto* callbacks = new (std::nothrow) std::deque<PendingCallback>;
    if (!callbacks)
      return;
    callbacks->swap(thread_state().callbacks);
    pending_callbacks = 0;
    std::thread([callbacks] {
      thread_state().callbacks.swap(*callbacks);
      delete callbacks;
      pending_callbacks = static_cast<unsigned>(thread_state().callbacks.size());
      run_callbacks();
    }).detach();
    return;
  }
  ++depth;
  while (pending_callbacks != 0) {
    auto& callbacks = thread_state().callbacks;
    const auto callback = std::move(callbacks.front());
    callbacks.pop_front();
    --pending_callbacks;
    callback.function(static_cast<cl_event>(callback.event->handle()), callback.status,
                      callback.user_data);
  }
  --depth;
}

} // namespace heddle::scheduler
