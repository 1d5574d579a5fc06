// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that run kernels of contexts that can be terminated (cl_khr_terminate_context), so
// that kernels can be ended at any instruction.
#pragma once

#include <atomic>
#include <pthread.h>

namespace heddle::running_kernels {

// A thread's entry, which lives as long as the thread.
class Thread {
 public:
  Thread() = default;
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  // Around a kernel of the context whose flag this is: set when the context is terminated.
  void begin(const std::atomic<bool>& flag) noexcept;
  void end() noexcept;

 private:
  friend void stop(const std::atomic<bool>& flag) noexcept;
  std::atomic<const std::atomic<bool>*> flag_{nullptr}; // while it runs a kernel
  pthread_t thread_{};
  unsigned fork_generation_ = 0;
  bool is_listed_ = false;
  Thread* next_ = nullptr;
};

// The flag has been set: returns when no thread is inside a kernel with that flag, or after one
// second if one is inside a function of the runtime for so long; it leaves the kernel then.
void stop(const std::atomic<bool>& flag) noexcept;

} // namespace heddle::running_kernels
