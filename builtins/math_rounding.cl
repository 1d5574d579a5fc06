// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: rounding to integers, signs, comparisons; all exact.
#include "math_common.h"

#define EXACT_FUNCTIONS(T)                                                                         \
  MATH T ceil(T x) { return CEIL(x); }                                                             \
  MATH T floor(T x) { return FLOOR(x); }                                                           \
  MATH T trunc(T x) { return TRUNC(x); }                                                           \
  MATH T rint(T x) { return RINT(x); }                                                             \
  MATH T fabs(T x) { return ABS(x); }                                                              \
  MATH T copysign(T x, T y) { return COPYSIGN(x, y); }                                             \
  MATH T fmax(T x, T y) { return y != y || y < x ? x : y; }                                        \
  MATH T fmin(T x, T y) { return y != y || x < y ? x : y; }                                        \
  MATH T fdim(T x, T y) { return x <= y ? (T)0 : x - y; }                                          \
  MATH T maxmag(T x, T y) {                                                                        \
    T a = ABS(x), b = ABS(y);                                                                      \
    return a > b ? x : b > a ? y : fmax(x, y);                                                     \
  }                                                                                                \
  MATH T minmag(T x, T y) {                                                                        \
    T a = ABS(x), b = ABS(y);                                                                      \
    return a < b ? x : b < a ? y : fmin(x, y);                                                     \
  }
EXACT_FUNCTIONS(float)
EXACT_FUNCTIONS(double)
EXACT_FUNCTIONS(half)

// Adds the predecessor of one half, so that a smaller fraction is not rounded up.
MATH float round(float x) { return TRUNC(x + COPYSIGN(0x1.fffffep-2f, x)); }
MATH double round(double x) { return TRUNC(x + COPYSIGN(0x1.fffffffffffffp-2, x)); }
HALF_UNARY(round)

MATH float nan(uint code) { return as_float(0x7fc00000 | (code & 0x3fffff)); }
MATH double nan(ulong code) { return as_double(0x7ff8000000000000 | (code & 0x7ffffffffffff)); }
MATH half nan(ushort code) { return as_half((ushort)(0x7e00 | (code & 0x1ff))); }

#define FRACT(S, T, BELOW_ONE)                                                                     \
  MATH_OUT T fract(T x, S T* whole) {                                                              \
    T f = FLOOR(x);                                                                                \
    *whole = f;                                                                                    \
    T d = x - f;                                                                                   \
    d = d > BELOW_ONE ? BELOW_ONE : d;                                                             \
    d = ABS(x) == (T)INFINITY ? (T)0 : d;                                                          \
    return x != x ? x : COPYSIGN(d, x < (T)0 && d != (T)0 ? (T)1 : x);                             \
  }
FOR_SPACES(FRACT, float, 0x1.fffffep-1f)
FOR_SPACES(FRACT, double, 0x1.fffffffffffffp-1)
FOR_SPACES(FRACT, half, 0x1.ffcp-1h)

#define MODF(S, T)                                                                                 \
  MATH_OUT T modf(T x, S T* whole) {                                                               \
    T t = TRUNC(x);                                                                                \
    *whole = t;                                                                                    \
    T d = ABS(x) == (T)INFINITY ? (T)0 : x - t;                                                    \
    return COPYSIGN(d, x);                                                                         \
  }
FOR_SPACES(MODF, float)
FOR_SPACES(MODF, double)
FOR_SPACES(MODF, half)
