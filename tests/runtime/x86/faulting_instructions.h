// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that raise exceptions of the processor.
#pragma once

namespace heddle::test {

constexpr bool kDivisionFaults = true; // by zero

// Without checks of sanitizers: tests the hardware's exception.
__attribute__((no_sanitize("all"))) inline void divide_by_zero() {
  volatile int zero = 0;
  asm volatile("xorl %%edx, %%edx; movl $1, %%eax; idivl %0" ::"m"(zero) : "eax", "edx");
}

inline void execute_illegal_instruction() { asm volatile("ud2"); }

} // namespace heddle::test
