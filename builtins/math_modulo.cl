// OpenCL C 6.15.2: fmod, remainder, remquo: exact functions.
#include "math_common.h"

// x mod y for finite x >= 0, y > 0, and the low bits of the quotient. Each turn divides by y times
// a power of two that leaves a quotient of at most BITS bits; a quotient that was rounded up to the
// next integer gives a negative rest, which is put right. Every step is exact.
#define MODULO(T, I, BITS, MANTISSA, BIAS)                                                         \
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
  HELPER T nearest_modulo(T x, T y, int* quotient) {                                               \
    T a = ABS(x), b = ABS(y);                                                                      \
    bool valid = a < (T)INFINITY && b > 0;                                                         \
    ulong q;                                                                                       \
    T r = modulo(valid ? a : (T)0, valid ? b : (T)1, &q);                                          \
    T rest = b - r;                                                                                \
    bool up = r > rest || (r == rest && (q & 1));                                                  \
    r = up ? -rest : r;                                                                            \
    q += up;                                                                                       \
    int low = (int)(q & 0x7f);                                                                     \
    bool negative = (as_##I(x) ^ as_##I(y)) >> (sizeof(T) * 8 - 1);                                \
    *quotient = valid ? (negative ? -low : low) : 0;                                               \
    r = as_##T(as_##I(r) ^ (as_##I(x) & ((I)1 << (sizeof(T) * 8 - 1))));                           \
    return valid ? r : x != x || y != y ? x + y : (T)NAN;                                          \
  }                                                                                                \
  MATH T fmod(T x, T y) {                                                                          \
    T a = ABS(x), b = ABS(y);                                                                      \
    bool valid = a < (T)INFINITY && b > 0;                                                         \
    ulong q;                                                                                       \
    T r = modulo(valid ? a : (T)0, valid ? b : (T)1, &q);                                          \
    return valid ? COPYSIGN(r, x) : x != x || y != y ? x + y : (T)NAN;                             \
  }                                                                                                \
  MATH T remainder(T x, T y) {                                                                     \
    int q;                                                                                         \
    return nearest_modulo(x, y, &q);                                                               \
  }
MODULO(float, uint, 22, 23, 127)
MODULO(double, ulong, 51, 52, 1023)
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
