// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runtime functions that the code generator calls to convert halves on CPUs without F16C. In
// integer arithmetic, because a half operation could become a call of these functions.
#include "builtins.h"

// The bits of a double rounded to a half, to nearest even.
HELPER ushort half_bits(ulong bits) {
  ushort sign = (ushort)(bits >> 48) & 0x8000;
  ulong magnitude = bits & 0x7fffffffffffffff;
  if (magnitude > 0x7ff0000000000000)
    return sign | 0x7e00 | (ushort)(magnitude >> 42 & 0x1ff);
  int exponent = (int)(magnitude >> 52) - 1008;
  if (exponent >= 31)
    return sign | 0x7c00;
  if (exponent < -10)
    return sign;
  ulong significand = (magnitude & 0xfffffffffffff) | 0x10000000000000;
  int dropped = exponent > 0 ? 42 : 43 - exponent;
  ulong kept = significand >> dropped;
  ulong rest = significand & ((1UL << dropped) - 1);
  ulong middle = 1UL << (dropped - 1);
  ulong rounded = kept + (rest > middle || (rest == middle && (kept & 1)));
  return sign | (ushort)(exponent > 0 ? rounded + ((ulong)(exponent - 1) << 10) : rounded);
}

HELPER uint float_bits(ushort bits) {
  uint sign = (uint)(bits & 0x8000) << 16;
  uint magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00)
    return sign | 0x7f800000 | magnitude << 13 | (magnitude > 0x7c00 ? 0x400000 : 0);
  if (magnitude >= 0x400)
    return sign | ((magnitude << 13) + 0x38000000);
  return sign | as_uint((float)magnitude * 0x1p-24f);
}

float __extendhfsf2(half x);
double __extendhfdf2(half x);
half __truncsfhf2(float x);
half __truncdfhf2(double x);

float __extendhfsf2(half x) { return as_float(float_bits(as_ushort(x))); }
double __extendhfdf2(half x) { return (double)as_float(float_bits(as_ushort(x))); }
half __truncsfhf2(float x) { return as_half(half_bits(as_ulong((double)x))); }
half __truncdfhf2(double x) { return as_half(half_bits(as_ulong(x))); }
