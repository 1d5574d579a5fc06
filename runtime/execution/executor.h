// Where the commands of one device run: ready commands, kernels whose groups are being shared out,
// and the threads.
//
// Runners are tasks on TBB threads. Each takes ready commands and ranges of groups until there are
// none, looks for more for a short while, and ends. A thread that waits for an event does the same
// work in between. Never more threads than the device has compute units work at once.
#pragma once

#include "runtime/core/mutex.h"
#include "runtime/device/numa.h"
#include "runtime/execution/command.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace heddle {

class Runners;

// Work that several threads do together. Joined through Executor::share.
class SharedWork {
 public:
  virtual bool has_more() const noexcept = 0;
  virtual void take_part() noexcept = 0;
  virtual const Queue& queue() const noexcept = 0;
  virtual void retain_work() noexcept = 0;
  virtual void release_work() noexcept = 0;

 protected:
  ~SharedWork() = default;

 private:
  friend class Executor;
  SharedWork* next_ = nullptr; // in the executor's list
  bool is_listed_ = false;
};

class Executor {
 public:
  // `cpus` empty: threads go where the system puts them; else workers are pinned to these and
  // waiting threads do not help, because they are not.
  Executor(unsigned units, std::vector<int> cpus);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  unsigned units() const { return units_; }
  // The NUMA nodes that its threads are on.
  const numa::Parts& parts() const { return parts_; }
  // A command whose dependencies are done. With `wake` a runner is sure to look at it; soon,
  // unless the command is brief.
  void push(Ref<Command> command, bool wake) noexcept;
  // Offers work to other threads until it has no more; the caller takes part himself.
  void share(SharedWork& work, unsigned threads) noexcept;
  // Offers work to `threads` threads that are not the executor's, for as long as it has more: work
  // that may wait for other commands, which must not take their threads from them. The number of
  // those that the system gave.
  unsigned share_beside(SharedWork& work, unsigned threads) noexcept;
  // Does some work of that queue on the calling thread, which waits for `event`; false if there is
  // none to do here.
  bool help(Queue& queue, const Event& event) noexcept;
  // A runner's life; called by Runners.
  void run() noexcept;
  // A hint that there is other work than what the calling thread goes on with.
  bool has_pending() const noexcept { return pending_.load(std::memory_order_relaxed) != 0; }
  // Around callbacks, during which the thread does not count as one that works: they may block.
  // Between them another thread may take a runner's place.
  void leave() noexcept;
  void enter() noexcept;
  // Makes sure that work which is ready has a runner to look at it, if a unit is free. For threads
  // that stop working or waiting actively.
  void offer() noexcept;

 private:
  bool step(Queue* only, const Event* until, Ref<Queue>* linger) noexcept;
  bool step_lingering(Ref<Queue>& linger) noexcept;
  void run_begun(Ref<Event> event, const Event* until, Ref<Queue>* linger) noexcept;
  void stop_lingering(Ref<Queue>& linger) noexcept;
  void wake(unsigned count) noexcept;
  bool add_runner() noexcept;
  // With mutex_ held.
  Ref<Event> take(const Queue* only) noexcept;
  SharedWork* join(const Queue* only) noexcept;
  void remove_shared(SharedWork** place) noexcept;

  const unsigned units_;
  const bool pinned_;
  const numa::Parts parts_;
  Mutex mutex_;
  ReadyList ready_;
  SharedWork* shared_ = nullptr; // the oldest first
  std::atomic<int> pending_{0};  // ready commands and shared work
  // Threads that work now. Raised with mutex_ held and only by a thread that has found work, so
  // that nobody is kept from work by one who merely looks.
  std::atomic<unsigned> busy_{0};
  std::atomic<unsigned> runners_{0};
  std::atomic<unsigned> held_up_{0}; // runners that are in callbacks
  std::atomic<unsigned> idle_{0};    // runners that look for work
  std::unique_ptr<Runners> threads_;
};

} // namespace heddle
