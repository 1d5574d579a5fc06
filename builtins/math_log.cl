// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 6.15.2: logarithms and the inverse hyperbolic functions.
#include "math_log.h"

MATH float log(float x) {
  float k, f = split_whole(x, &k);
  return MAD(k, 0x1.62e43p-1f, MAD(f * f, log_quotient(f), f));
}
MATH double log(double x) {
  double k, f = split_whole(x, &k);
  return MAD(k, 0x1.62e42fefa39efp-1, log_of_sum(f));
}
HALF_UNARY(log)

MATH float log2(float x) {
  float k, f = split_whole(x, &k);
  return MAD(f, log2_quotient(f), k);
}
MATH double log2(double x) {
  double k, f = split_whole(x, &k);
  return MAD(log_of_sum(f), 0x1.71547652b82fep+0, k);
}
HALF_UNARY(log2)

MATH float log10(float x) {
  float k, f = split_whole(x, &k);
  float low = MAD(f * f, log10_rest(f), k * 0x1.3509f8p-18f);
  return MAD(f, 0x1.bcb7b2p-2f, k * 0x1.344p-2f) + low;
}
MATH double log10(double x) {
  double k, f = split_whole(x, &k);
  return MAD(log_of_sum(f), 0x1.bcb7b1526e50ep-2, k * 0x1.34413509f79ffp-2);
}
HALF_UNARY(log10)

#define LOG1P(T)                                                                                   \
  MATH T log1p(T x) {                                                                              \
    T r = COPYSIGN(log1p_ordinary(x), x);                                                          \
    return x < (T)-1 ? (T)NAN : r;                                                                 \
  }
LOG1P(float)
LOG1P(double)
HALF_UNARY(log1p)

// If x^2 + 1 rounds to x^2, ln(2 x) is the result up to rounding.
#define INVERSE_HYPERBOLIC(T, HUGE, LN2)                                                           \
  MATH T asinh(T x) {                                                                              \
    T a = ABS(x);                                                                                  \
    bool huge = a > HUGE;                                                                          \
    T u = huge ? a : a + a * a / ((T)1 + SQRT(MAD(a, a, (T)1)));                                   \
    T r = log1p_ordinary(u) + (huge ? LN2 : (T)0);                                                 \
    return COPYSIGN(r, x);                                                                         \
  }                                                                                                \
  MATH T acosh(T x) {                                                                              \
    bool huge = x > HUGE;                                                                          \
    T t = x - (T)1;                                                                                \
    T u = huge ? x : t + SQRT(MAD(t, t, (T)2 * t));                                                \
    T r = log1p_ordinary(u) + (huge ? LN2 : (T)0);                                                 \
    return x < (T)1 ? (T)NAN : r;                                                                  \
  }                                                                                                \
  MATH T atanh(T x) {                                                                              \
    T a = ABS(x);                                                                                  \
    T r = (T)0.5 * log1p_ordinary((T)2 * a / ((T)1 - a));                                          \
    return a > (T)1 ? (T)NAN : COPYSIGN(r, x);                                                     \
  }
INVERSE_HYPERBOLIC(float, 0x1p30f, 0x1.62e43p-1f)
INVERSE_HYPERBOLIC(double, 0x1p60, 0x1.62e42fefa39efp-1)
HALF_UNARY(asinh)
HALF_UNARY(acosh)
HALF_UNARY(atanh)
