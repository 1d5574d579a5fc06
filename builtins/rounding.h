// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions to floating-point types with a chosen rounding direction.
//
// The CPU's rounding mode remains "to nearest even". The other directions compute the nearest
// result, compare it with the exact value, and replace it by the adjacent number if it is on the
// wrong side. A NaN compares false and is kept.
#ifndef HEDDLE_ROUNDING_H
#define HEDDLE_ROUNDING_H

#include "builtins.h"

#pragma OPENCL FP_CONTRACT OFF

// The adjacent number if the condition holds: infinity becomes the largest finite number, zero the
// smallest number of its sign.
#define STEPS(F, I, BITS)                                                                          \
  HELPER F step_to_zero(F r, bool beyond) { return as_##F((I)(as_##I(r) - beyond)); }              \
  HELPER F step_up(F r, bool below) {                                                              \
    I bits = as_##I(r);                                                                            \
    return as_##F((I)(bits + (((bits >> (BITS - 1)) | 1) & -(I)below)));                           \
  }                                                                                                \
  HELPER F step_down(F r, bool above) {                                                            \
    I bits = as_##I(r);                                                                            \
    return as_##F((I)(bits - (((bits >> (BITS - 1)) | 1) & -(I)above)));                           \
  }
STEPS(half, short, 16)
STEPS(float, int, 32)
STEPS(double, long, 64)

// Whether the result r is above or below the exact x. They are compared as floating-point numbers
// if both are, or if a double represents x.
#define COMPARE(F, X, W)                                                                           \
  HELPER bool is_above(F r, X x) { return (W)r > (W)x; }                                           \
  HELPER bool is_below(F r, X x) { return (W)r < (W)x; }                                           \
  HELPER bool is_beyond(F r, X x) {                                                                \
    return __builtin_elementwise_abs((W)r) > __builtin_elementwise_abs((W)x);                      \
  }
COMPARE(half, float, float)
COMPARE(float, double, double)
COMPARE(float, int, double)
COMPARE(float, uint, double)

// 64-bit integers are compared as integers; LIMIT is the only result that is too large for the
// type.
#define COMPARE_LONG(F, X, LIMIT)                                                                  \
  HELPER X back_to_##X(F r) { return (X)(r < (F)LIMIT ? r : (F)0); }                               \
  HELPER bool is_above(F r, X x) { return (r >= (F)LIMIT) | (back_to_##X(r) > x); }                \
  HELPER bool is_below(F r, X x) { return (r < (F)LIMIT) & (back_to_##X(r) < x); }                 \
  HELPER bool is_beyond(F r, X x) {                                                                \
    bool above = is_above(r, x), below = is_below(r, x);                                           \
    return x < 0 ? below : above;                                                                  \
  }
COMPARE_LONG(float, long, 0x1p63)
COMPARE_LONG(float, ulong, 0x1p64)
COMPARE_LONG(double, long, 0x1p63)
COMPARE_LONG(double, ulong, 0x1p64)

// to_F_rte, to_F_rtz, to_F_rtp, to_F_rtn from X.
#define ROUNDED(F, X)                                                                              \
  HELPER F to_##F##_rte(X x) { return (F)x; }                                                      \
  HELPER F to_##F##_rtz(X x) { return step_to_zero((F)x, is_beyond((F)x, x)); }                    \
  HELPER F to_##F##_rtp(X x) { return step_up((F)x, is_below((F)x, x)); }                          \
  HELPER F to_##F##_rtn(X x) { return step_down((F)x, is_above((F)x, x)); }
ROUNDED(half, float)
ROUNDED(float, double)
ROUNDED(float, int)
ROUNDED(float, uint)
ROUNDED(float, long)
ROUNDED(float, ulong)
ROUNDED(double, long)
ROUNDED(double, ulong)

// Rounding the double to odd in float preserves the result of a further rounding to half.
HELPER float to_float_odd(double x) {
  float nearest = (float)x;
  bool inexact = (double)nearest != x;
  return as_float(as_int(to_float_rtz(x)) | inexact);
}

// Any integer beyond 2^20 rounds like 2^20, and smaller ones are exact as floats.
HELPER float half_range(int x) { return (float)min(max(x, -0x100000), 0x100000); }
HELPER float half_range(uint x) { return (float)(int)min(x, 0x100000u); }
HELPER float half_range(long x) { return (float)(int)min(max(x, -0x100000L), 0x100000L); }
HELPER float half_range(ulong x) { return (float)(int)min(x, 0x100000UL); }

// Via a float that rounds like x.
#define THROUGH(X, CONVERT)                                                                        \
  HELPER half to_half_rte(X x) { return to_half_rte(CONVERT(x)); }                                 \
  HELPER half to_half_rtz(X x) { return to_half_rtz(CONVERT(x)); }                                 \
  HELPER half to_half_rtp(X x) { return to_half_rtp(CONVERT(x)); }                                 \
  HELPER half to_half_rtn(X x) { return to_half_rtn(CONVERT(x)); }
THROUGH(double, to_float_odd)
THROUGH(short, (float))
THROUGH(ushort, (float))
THROUGH(int, half_range)
THROUGH(uint, half_range)
THROUGH(long, half_range)
THROUGH(ulong, half_range)

// Exact conversions: the same in all directions.
#define EXACT(F, X)                                                                                \
  HELPER F to_##F##_rte(X x) { return (F)x; }                                                      \
  HELPER F to_##F##_rtz(X x) { return (F)x; }                                                      \
  HELPER F to_##F##_rtp(X x) { return (F)x; }                                                      \
  HELPER F to_##F##_rtn(X x) { return (F)x; }
EXACT(half, char)
EXACT(half, uchar)
EXACT(half, half)
EXACT(float, char)
EXACT(float, uchar)
EXACT(float, short)
EXACT(float, ushort)
EXACT(float, half)
EXACT(float, float)
EXACT(double, char)
EXACT(double, uchar)
EXACT(double, short)
EXACT(double, ushort)
EXACT(double, int)
EXACT(double, uint)
EXACT(double, half)
EXACT(double, float)
EXACT(double, double)

#endif
