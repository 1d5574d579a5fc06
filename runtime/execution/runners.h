// The threads of an executor: TBB's, or plain ones in a forked child, where TBB's threads no longer
// exist, and where TBB could not be started.
#pragma once

#include <memory>
#include <vector>

namespace heddle {

class Executor;

class Runners {
 public:
  Runners(Executor& executor, unsigned threads, std::vector<int> cpus);
  ~Runners();
  // Has executor.run() called on one more thread, an `extra` one not of TBB's. False if the system
  // has no memory or thread for that.
  bool start_one(bool extra) noexcept;
  // Has `function` called on a thread beside those (own_threads.h), where they would be.
  bool start_beside(void (*function)(void*), void* argument) noexcept;

 private:
  struct Arena;
  Executor& executor_;
  const std::vector<int> cpus_;
  std::unique_ptr<Arena> arena_; // null where there are only plain threads
};

// Keeps the calling thread on these processors.
void pin_this_thread(const std::vector<int>& cpus) noexcept;

} // namespace heddle
