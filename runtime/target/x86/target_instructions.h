// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace heddle {

// What _mm_pause() is, without the 37,000 lines of immintrin.h.
inline void spin_pause() noexcept { __builtin_ia32_pause(); }

// Does nothing on CPUs without it.
inline void prefetch_to_write(const char* line) noexcept {
  asm volatile("prefetchw %0" : : "m"(*line));
}

// At the processor's nominal frequency.
inline std::uint64_t cycle_count() noexcept { return __builtin_ia32_rdtsc(); }

} // namespace heddle
