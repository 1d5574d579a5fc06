// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Informs the sanitizers of stack switches; empty in other builds.
//
// AddressSanitizer needs the bounds of every stack that is switched to, and keeps shadow state of
// frames on abandoned stacks. ThreadSanitizer is not informed: the stacks of a worker never run at
// the same time, so it sees one thread whose calls and returns balance, but for functions that do
// not return, which it must not see (HEDDLE_NO_THREAD_SANITIZER). (Its fibers are limited to fewer
// than a few large work-groups need, and it loses the order of events when a fiber is abandoned
// after a fault.)
#pragma once

#include "runtime/core/thread_sanitizer.h"
#include "runtime/execution/fault_guard.h"
#include "runtime/target/context_switch.h"

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#endif

namespace heddle {

// A stack that is switched to and from.
struct StackTrack {
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  std::size_t size = 0;
#endif

  // A new stack with these bounds; what ran on it before is abandoned.
  void begin([[maybe_unused]] std::byte* top, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    fake_stack = nullptr;
    bottom = top - bytes;
    size = bytes;
    __asan_unpoison_memory_region(bottom, size);
#endif
  }
  // Called first on a new stack: records the bounds of the stack that was left.
  static void entered([[maybe_unused]] StackTrack& left) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &left.bottom, &left.size);
#endif
  }
  // Called last on a stack, by a function that returns to where it was called on this stack.
  static void leaving([[maybe_unused]] const StackTrack& to) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, to.bottom, to.size);
#endif
  }
};

// Calls heddle_switch_stack from one tracked stack to another.
HEDDLE_NO_THREAD_SANITIZER inline void*
switch_stack(StackContext* save, StackContext next, void* value, [[maybe_unused]] StackTrack& from,
             [[maybe_unused]] const StackTrack& to) noexcept {
#if defined(__SANITIZE_ADDRESS__)
  const bool allowed_stop = fault_guard::allow_stop(false);
  __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.size);
  void* answer = heddle_switch_stack(save, next, value);
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
  if (allowed_stop)
    fault_guard::allow_stop(true);
  return answer;
#else
  return heddle_switch_stack(save, next, value);
#endif
}

// The same for heddle_call_on_stack. The function calls StackTrack::entered() first and leaving()
// last.
HEDDLE_NO_THREAD_SANITIZER inline void*
call_on_stack(StackContext* save, std::byte* top, void (*function)(void*), void* value,
              [[maybe_unused]] StackTrack& from, [[maybe_unused]] const StackTrack& to) noexcept {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.size);
  void* answer = heddle_call_on_stack(save, top, function, value);
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
  return answer;
#else
  return heddle_call_on_stack(save, top, function, value);
#endif
}

} // namespace heddle
