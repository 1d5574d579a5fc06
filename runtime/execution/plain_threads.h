// Threads that are not TBB's: for a forked child, for a process in which TBB could not be started,
// and in place of threads that callbacks hold up. A thread that has nothing to do stays for a
// while.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

namespace heddle {

class Executor;

class PlainThreads {
 public:
  // The executor and the processors (empty: any) outlive the threads.
  PlainThreads(Executor& executor, const std::vector<int>& cpus)
      : executor_(executor), cpus_(cpus) {}
  // Has executor.run() called on one more thread; false if the system gives none.
  bool start_one() noexcept;

 private:
  void serve() noexcept;

  Executor& executor_;
  const std::vector<int>& cpus_;
  std::mutex mutex_;
  std::condition_variable awaited_;
  unsigned resting_ = 0; // threads that wait for something to do
  unsigned starts_ = 0;  // calls asked of them; never more than there are of them
};

} // namespace heddle
