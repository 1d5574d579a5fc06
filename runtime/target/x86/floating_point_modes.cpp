// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/floating_point_modes.h"

#include <xmmintrin.h>

namespace heddle {

FloatingPointModes::FloatingPointModes() noexcept : words_{_mm_getcsr(), 0} {
  asm volatile("fnstcw %0" : "=m"(words_[1]));
}

void FloatingPointModes::restore() const noexcept {
  _mm_setcsr(static_cast<unsigned>(words_[0]));
  asm volatile("fninit\n\tfldcw %0" : : "m"(words_[1]));
}

} // namespace heddle
