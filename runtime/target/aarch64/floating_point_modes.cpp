// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/floating_point_modes.h"

namespace heddle {

FloatingPointModes::FloatingPointModes() noexcept {
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(words_[0]), "=r"(words_[1]));
}

void FloatingPointModes::restore() const noexcept {
  asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(words_[0]), "r"(words_[1]));
}

} // namespace heddle
