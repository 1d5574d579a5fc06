// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ThreadSanitizer must not see.
#pragma once

// A function without instrumentation. For functions that switch to another stack and are never
// resumed: the sanitizer keeps a stack of the calls that have not returned, which some 65,000 of
// them overflow. And for what reads memory whose order it cannot see (tests/thread_sanitizer.supp).
#if defined(__SANITIZE_THREAD__)
#define HEDDLE_NO_THREAD_SANITIZER __attribute__((no_sanitize("thread")))
#else
#define HEDDLE_NO_THREAD_SANITIZER
#endif
