// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: functions of a number's exponent and bits, all exact.
#include "math_machine.h"

// Without an instruction for all numbers: the exponent's bits as those of a number's fraction,
// which is WHOLE without its bias. EDGE is beyond the exponents of normal numbers.
#define EXPONENT(T, U, MANTISSA, WHOLE, WHOLE_BIAS, EDGE)                                          \
  MATH T logb(T x) {                                                                               \
    if (has_pick_step())                                                                           \
      return exponent_step(x);                                                                     \
    T e = as_##T(as_##U(ABS(x)) >> MANTISSA | as_##U(WHOLE)) - WHOLE_BIAS;                         \
    if (RARELY(!(ABS(e - (T)0.5) < EDGE)))                                                         \
      e = exponent_step(x);                                                                        \
    return e;                                                                                      \
  }                                                                                                \
  MATH int ilogb(T x) {                                                                            \
    T e = logb(x);                                                                                 \
    int i = (int)e;                                                                                \
    if (RARELY(!(ABS(e) < (T)INFINITY)))                                                           \
      i = e == (T)INFINITY ? INT_MAX : e < 0 ? FP_ILOGB0 : FP_ILOGBNAN;                            \
    return i;                                                                                      \
  }
EXPONENT(float, uint, 23, 0x1p23f, 0x1.0000fep+23f, 127.0f)
EXPONENT(double, ulong, 52, 0x1p52, 0x1.00000000003ffp+52, 1023.0)
MATH int ilogb(half x) { return ilogb((float)x); }
HALF_UNARY(logb)

// x 2^n with three factors. Intermediate products are not subnormal unless the result is zero, so
// only one rounding occurs.
#define LDEXP(T, I, MOST, LEAST, STEP)                                                             \
  MATH T ldexp(T x, int n) {                                                                       \
    int a = n > MOST ? MOST : n < LEAST ? STEP : 0;                                                \
    n -= a;                                                                                        \
    int b = n > MOST ? MOST : n < LEAST ? STEP : 0;                                                \
    n -= b;                                                                                        \
    n = n > MOST ? MOST : n < LEAST ? LEAST : n;                                                   \
    return x * exp2i((I)a) * exp2i((I)b) * exp2i((I)n);                                            \
  }
LDEXP(float, int, 127, -126, -102)
LDEXP(double, long, 1023, -1022, -969)
// A float represents every result that is not zero as a half.
MATH half ldexp(half x, int n) { return (half)ldexp((float)x, n); }

HELPER float significand_of(float x, int* e) {
  bool ordinary = x != 0 && ABS(x) < INF_F;
  bool small = ABS(x) < 0x1p-126f;
  uint bits = as_uint(small ? x * 0x1p24f : x);
  *e = ordinary ? (int)(bits >> 23 & 0xff) - (small ? 150 : 126) : 0;
  return ordinary ? as_float((bits & 0x807fffff) | 0x3f000000) : x;
}
HELPER double significand_of(double x, int* e) {
  bool ordinary = x != 0 && ABS(x) < INF_D;
  bool small = ABS(x) < 0x1p-1022;
  ulong bits = as_ulong(small ? x * 0x1p54 : x);
  *e = ordinary ? (int)(bits >> 52 & 0x7ff) - (small ? 1076 : 1022) : 0;
  return ordinary ? as_double((bits & 0x800fffffffffffff) | 0x3fe0000000000000) : x;
}
HELPER half significand_of(half x, int* e) { return (half)significand_of((float)x, e); }

#define FREXP(S, T)                                                                                \
  MATH_OUT T frexp(T x, S int* exponent) {                                                         \
    int e;                                                                                         \
    T m = significand_of(x, &e);                                                                   \
    *exponent = e;                                                                                 \
    return m;                                                                                      \
  }
FOR_SPACES(FREXP, float)
FOR_SPACES(FREXP, double)
FOR_SPACES(FREXP, half)

// Floating-point numbers have the order of sign-magnitude integers.
#define NEXTAFTER(T, I, SIGN)                                                                      \
  MATH T nextafter(T x, T y) {                                                                     \
    I a = as_##I(x), b = as_##I(y);                                                                \
    I ka = a < 0 ? (I)(SIGN - a) : a, kb = b < 0 ? (I)(SIGN - b) : b;                              \
    I k = (I)(ka + (kb > ka ? 1 : -1));                                                            \
    T next = as_##T((I)(k < 0 ? SIGN - k : k > 0 ? k : a & SIGN));                                 \
    next = ka == kb ? y : next;                                                                    \
    return x != x ? x : y != y ? y : next;                                                         \
  }
NEXTAFTER(float, int, INT_MIN)
NEXTAFTER(double, long, LONG_MIN)
NEXTAFTER(half, short, SHRT_MIN)
