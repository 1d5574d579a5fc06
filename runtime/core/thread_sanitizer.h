// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ThreadSanitizer must not see.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <dlfcn.h>
extern "C" void __tsan_func_entry(void*);
#endif

// A function without instrumentation. For functions that switch to another stack and are never
// resumed: the sanitizer keeps a stack of the calls that have not returned, which some 65,000 of
// them overflow. And for what reads memory whose order it cannot see (tests/thread_sanitizer.supp).
#if defined(__SANITIZE_THREAD__)
#define HEDDLE_NO_THREAD_SANITIZER __attribute__((no_sanitize("thread")))
#else
#define HEDDLE_NO_THREAD_SANITIZER
#endif

namespace heddle {

// For signal handlers: whether the instruction is one of the sanitizer's own, which calls of
// instrumented functions run with locks that would be lost if the thread left there.
inline bool is_in_thread_sanitizer([[maybe_unused]] void* instruction) noexcept {
#if defined(__SANITIZE_THREAD__)
  dl_find_object own{}, found{};
  return _dl_find_object(reinterpret_cast<void*>(&__tsan_func_entry), &own) == 0 &&
         _dl_find_object(instruction, &found) == 0 && found.dlfo_map_start == own.dlfo_map_start;
#else
  return false;
#endif
}

} // namespace heddle
