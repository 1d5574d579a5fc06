// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the program's functions: callbacks, native kernels, functions that free memory. They may
// block, fork, and end the process.
//
// They never run on TBB's threads. exit() calls the destructors of libtbb's static objects, which
// end the calling thread's part in its arena as if it were a thread of the program, and crash if it
// is a worker; so does the end of a child that was forked on one.
#pragma once

#include <functional>

namespace heddle::program_code {

// Calls the function on this thread, or, if that is TBB's, on a new one, and waits for it. If the
// system has no thread it is called here.
void call(const std::function<void()>& function) noexcept;

// The calling thread is TBB's as long as this exists.
class BorrowedThread {
 public:
  BorrowedThread() noexcept;
  ~BorrowedThread();
  BorrowedThread(const BorrowedThread&) = delete;
  BorrowedThread& operator=(const BorrowedThread&) = delete;
};
bool is_thread_borrowed() noexcept;

// True if a function had to be called on another thread: from then on, workers had better be
// threads of Heddle's own.
bool had_to_move() noexcept;

} // namespace heddle::program_code
