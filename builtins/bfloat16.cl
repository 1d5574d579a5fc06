// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_bfloat16_conversions: floats to the upper halves of floats, rounded to nearest even, and
// back. In integer arithmetic also on x86-64, whose instruction (AVX-512 BF16) takes subnormal
// numbers for zero.
#include "builtins.h"
#include "extra_builtins.h"
#include "math_machine.h"

HELPER float from_bfloat16(ushort bits) { return as_float((uint)bits << 16); }

OVERLOAD ushort intel_convert_bfloat16_as_ushort(float x) { return bfloat16_step(x); }
OVERLOAD float intel_convert_as_bfloat16_float(ushort bits) { return from_bfloat16(bits); }

#define TO(S, x) bfloat16_step(x.S)
#define FROM(S, x) from_bfloat16(x.S)
#define CONVERSIONS(N, unused)                                                                     \
  OVERLOAD ushort##N intel_convert_bfloat16##N##_as_ushort##N(float##N x) {                        \
    return (ushort##N)(EACH_##N(TO, x));                                                           \
  }                                                                                                \
  OVERLOAD float##N intel_convert_as_bfloat16##N##_float##N(ushort##N bits) {                      \
    return (float##N)(EACH_##N(FROM, bits));                                                       \
  }
FOR_WIDTHS(CONVERSIONS, 0)
