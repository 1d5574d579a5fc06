// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: fmod, remainder, remquo: exact functions.
#include "math_exp.h"

// x mod y for finite x >= 0, y > 0, and the low bits of the quotient. Each iteration divides by y
// times a power of two such that the quotient has at most BITS bits; a quotient that was rounded up
// gives a negative remainder, which is corrected. Every iteration is exact. A quotient below
// LARGEST, the common case, needs no loop.
#define MODULO(T, I, BITS, MANTISSA, BIAS, LARGEST, SHIFTER)                                       \
  HELPER T modulo(T x, T y, ulong* quotient) {                                                     \
    ulong sum = 0;                                                                                 \
    while (x >= y) {                                                                               \
      int gap = exponent_of(x) - exponent_of(y) - BITS;                                            \
      gap = gap < 0 ? 0 : gap;                                                                     \
      int first = gap >> 1;                                                                        \
      T t =                                                                                        \
          y * as_##T((I)(first + BIAS) << MANTISSA) * as_##T((I)(gap - first + BIAS) << MANTISSA); \
      T q = TRUNC(x / t);                                                                          \
      T r = FMA(-q, t, x);                                                                         \
      q = r < 0 ? q - 1 : q;                                                                       \
      x = r < 0 ? r + t : r;                                                                       \
      sum += gap < 32 ? (ulong)q << gap : 0;                                                       \
    }                                                                                              \
    *quotient = sum;                                                                               \
    return x;                                                                                      \
  }                                                                                                \
  /* For any arguments: x mod y, or NaN, and the quotient's low bits. */                           \
  HELPER T slow_modulo(T x, T y, ulong* quotient) {                                                \
    bool valid = x < (T)INFINITY && y > 0;                                                         \
    T r = modulo(valid ? x : (T)0, valid ? y : (T)1, quotient);                                    \
    return valid ? r : x != x || y != y ? x + y : (T)NAN;                                          \
  }                                                                                                \
  HELPER T nearest_modulo(T x, T y, int* quotient) {                                               \
    T a = ABS(x), b = ABS(y), ratio = a / b;                                                       \
    T whole = RINT(ratio);                                                                         \
    T r = FMA(-whole, b, a);                                                                       \
    /* The ratio may have been rounded to a half, and that the wrong way. */                       \
    bool over = ABS(r) > b - ABS(r);                                                               \
    T one = COPYSIGN((T)1, r);                                                                     \
    whole = over ? whole + one : whole;                                                            \
    r = over ? FMA(-one, b, r) : r;                                                                \
    int low = (int)(as_##I(whole + SHIFTER) & 0x7f);                                               \
    if (!(ratio < LARGEST && b < (T)INFINITY)) {                                                   \
      ulong q;                                                                                     \
      r = slow_modulo(a, b, &q);                                                                   \
      T rest = b - r;                                                                              \
      bool up = r > rest || (r == rest && (q & 1));                                                \
      r = up ? -rest : r;                                                                          \
      low = r == r ? (int)(q + up & 0x7f) : 0;                                                     \
    }                                                                                              \
    bool negative = (as_##I(x) ^ as_##I(y)) >> (sizeof(T) * 8 - 1);                                \
    *quotient = negative ? -low : low;                                                             \
    return as_##T(as_##I(r) ^ (as_##I(x) & ((I)1 << (sizeof(T) * 8 - 1))));                        \
  }                                                                                                \
  MATH T fmod(T x, T y) {                                                                          \
    T a = ABS(x), b = ABS(y), ratio = a / b;                                                       \
    T r = FMA(-TRUNC(ratio), b, a);                                                                \
    r = r < 0 ? r + b : r;                                                                         \
    if (!(ratio < LARGEST && b < (T)INFINITY)) {                                                   \
      ulong q;                                                                                     \
      r = slow_modulo(a, b, &q);                                                                   \
    }                                                                                              \
    return COPYSIGN(r, x);                                                                         \
  }                                                                                                \
  MATH T remainder(T x, T y) {                                                                     \
    int q;                                                                                         \
    return nearest_modulo(x, y, &q);                                                               \
  }
MODULO(float, uint, 22, 23, 127, 0x1p22f, SHIFTER_F)
MODULO(double, ulong, 51, 52, 1023, 0x1p51, SHIFTER_D)
HALF_BINARY(fmod)
HALF_BINARY(remainder)
HELPER half nearest_modulo(half x, half y, int* quotient) {
  return (half)nearest_modulo((float)x, (float)y, quotient);
}

#define REMQUO(S, T)                                                                               \
  MATH_OUT T remquo(T x, T y, S int* quotient) {                                                   \
    int q;                                                                                         \
    T r = nearest_modulo(x, y, &q);                                                                \
    *quotient = q;                                                                                 \
    return r;                                                                                      \
  }
FOR_SPACES(REMQUO, float)
FOR_SPACES(REMQUO, double)
FOR_SPACES(REMQUO, half)
