// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks. Profiling times and host timers have the same one, and therefore agree.
#pragma once

#include <cstdint>
#include <time.h>

namespace heddle {

// CLOCK_MONOTONIC in nanoseconds.
inline std::uint64_t monotonic_nanoseconds() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// The same clock at the last timer tick, a few milliseconds ago; a quarter of the cost.
inline std::uint64_t coarse_nanoseconds() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// Time for which the calling thread has run, without that for which others had its processor.
// Several times the cost.
inline std::uint64_t thread_nanoseconds() noexcept {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace heddle
