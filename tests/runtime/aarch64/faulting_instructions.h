// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that raise exceptions of the processor.
#pragma once

namespace heddle::test {

constexpr bool kDivisionFaults = false; // the quotient is zero

inline void divide_by_zero() {}

inline void execute_illegal_instruction() { asm volatile("udf #0"); }

} // namespace heddle::test
