// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a binary semaphore: signaled or not.
#pragma once

#include "runtime/core/mutex.h"
#include "runtime/core/result.h"
#include "runtime/execution/event.h"

#include <CL/cl.h>

#include <cstddef>
#include <deque>
#include <optional>

namespace heddle {

// Commands tell of themselves when they are enqueued and when they end. The n-th wait takes the
// n-th signal, in the order in which they were enqueued, whichever executes first. So a semaphore
// may be signaled and waited for again as soon as these calls return, and they need not block. A
// command that fails takes no part: its signal is not given, or its wait leaves the semaphore
// signaled.
//
// A signal of which the wait is not yet enqueued is kept, also a second one, which the
// specification leaves undefined.
class Payload {
 public:
  Payload() = default;
  // One that has been signaled already. Throws std::bad_alloc.
  struct Signaled {};
  explicit Payload(Signaled) { signals_.push_back({nullptr, true}); }
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;
  virtual ~Payload() = default;

  // A command is about to be enqueued. Throws std::bad_alloc, and then has changed nothing. A wait
  // gets a dependency unless it can have its signal at once.
  virtual void add_signal(Event& command);
  virtual void add_wait(const Ref<Event>& command);
  // An added command has ended, or could not be enqueued. Appends waits that become ready.
  virtual void end_signal(const Event& command, bool has_failed, ReadyList& ready) noexcept;
  virtual void end_wait(const Event& command, bool has_failed, ReadyList& ready) noexcept;
  virtual bool is_signaled() noexcept;
  // A wait of the calling thread, which runs commands meanwhile. CL_INVALID_OPERATION if no signal
  // is left for it among those enqueued.
  cl_int wait() noexcept;
  // A descriptor of what other processes can share; -1 if there is none.
  virtual int export_file() const noexcept { return -1; }

 protected:
  struct Signal {
    Event* command; // null: not one of a command
    bool is_given = false;
  };
  // The following are called with mutex_ held.
  // One that has not been given.
  std::deque<Signal>::iterator find_signal(const Event* command) noexcept HEDDLE_REQUIRES(mutex_);
  // Gives it, to the wait whose turn it is.
  void give(std::deque<Signal>::iterator signal, ReadyList& ready) noexcept HEDDLE_REQUIRES(mutex_);
  // Gives a signal to the wait at that place of the list.
  void give_to(std::size_t place, ReadyList& ready) noexcept HEDDLE_REQUIRES(mutex_);
  // Removes the command if it waits for its signal, and returns its place; nothing if it has had
  // it.
  std::optional<std::size_t> remove_wait(const Event& command) noexcept HEDDLE_REQUIRES(mutex_);

  Mutex mutex_;
  // Not yet taken, in the order of the enqueues.
  std::deque<Signal> signals_ HEDDLE_GUARDED_BY(mutex_);
  // That have no signal yet, in the order of the enqueues.
  std::deque<Ref<Event>> waits_ HEDDLE_GUARDED_BY(mutex_);
  std::size_t taken_ HEDDLE_GUARDED_BY(mutex_) = 0; // signals of waits that have not ended

 private:
  void take_signal_at(std::size_t place) noexcept HEDDLE_REQUIRES(mutex_);
  void match(std::size_t first, ReadyList& ready) noexcept HEDDLE_REQUIRES(mutex_);

  // Signals of waits that failed, for the next waits.
  std::size_t returned_ HEDDLE_GUARDED_BY(mutex_) = 0;
};

} // namespace heddle
