// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace heddle {

// For loops that wait for another thread: lets the CPU's other hardware thread run, and saves
// power. What _mm_pause() is, without the 37,000 lines of immintrin.h.
inline void spin_pause() noexcept { __builtin_ia32_pause(); }

} // namespace heddle
