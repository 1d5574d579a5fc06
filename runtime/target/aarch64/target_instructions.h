// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace heddle {

// YIELD does nothing on most cores; ISB waits some ten nanoseconds, as x86's PAUSE.
inline void spin_pause() noexcept { asm volatile("isb" : : : "memory"); }

inline void prefetch_to_write(const char* line) noexcept { __builtin_prefetch(line, 1, 3); }

// The counter of the system has a frequency of its own, from 24 MHz to 1 GHz: here as nanoseconds.
inline std::uint64_t cycle_count() noexcept {
  std::uint64_t count = 0, frequency = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  asm("mrs %0, cntfrq_el0" : "=r"(frequency));
  constexpr std::uint64_t kSecond = 1'000'000'000;
  return count / frequency * kSecond + count % frequency * kSecond / frequency;
}

} // namespace heddle
