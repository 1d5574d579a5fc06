// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is to be done when a thread ends.
//
// Destructors of C++'s thread-locals would be too early in two cases: exit() runs those of its
// thread before the handlers and static objects of the program, which may use the driver, and while
// a callback or a native kernel that called it is still on the stack; and the program's own
// thread-locals, older than the driver's on that thread, may use the driver in their destructors.
#pragma once

namespace heddle::thread_end {

// A trivial thread-local of its user.
struct Hook {
  void (*function)() noexcept;
  Hook* next = nullptr;
  bool is_added = false;
};

// Calls hook.function when the calling thread ends: after all destructors of thread-locals, and
// not at all on a thread that ends the process. To be added again by what is used after that.
void add(Hook& hook) noexcept;

} // namespace heddle::thread_end
