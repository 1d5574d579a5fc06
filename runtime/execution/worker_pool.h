// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of an executor: TBB's, or plain ones in a forked child, in which TBB's threads do not
// exist, and in a process in which TBB could not be started.
#pragma once

#include <memory>
#include <vector>

namespace heddle {

class Executor;

class WorkerPool {
 public:
  WorkerPool(Executor& executor, unsigned threads, std::vector<int> cpus);
  ~WorkerPool();
  // Calls executor.run() on one more thread; with `extra` not on one of TBB's. False if the system
  // has no memory or thread for it.
  bool start_worker(bool extra) noexcept;
  // Calls `function` on an auxiliary thread (auxiliary_threads.h), pinned like the pool's threads.
  bool start_auxiliary(void (*function)(void*), void* argument) noexcept;

 private:
  struct Arena;
  Executor& executor_;
  const std::vector<int> cpus_;
  std::unique_ptr<Arena> arena_; // null if there are only plain threads
};

// Pins the calling thread to these processors.
void pin_this_thread(const std::vector<int>& cpus) noexcept;

} // namespace heddle
