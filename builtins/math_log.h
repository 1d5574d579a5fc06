// The pieces of logarithms: x = m 2^k with m between the roots of 1/2 and 2, and ln(1 + f).
#ifndef HEDDLE_MATH_LOG_H
#define HEDDLE_MATH_LOG_H
#include "math_common.h"
#include "math_machine.h"

// For x > 0 and finite. Anything else gives a defined but meaningless result.
HELPER float split_log(float x, int* k) {
  bool small = x < 0x1p-126f;
  int bits = as_int(small ? x * 0x1p24f : x) - 0x3f3504f3;
  *k = (bits >> 23) - (small ? 24 : 0);
  return as_float((bits & 0x7fffff) + 0x3f3504f3);
}
HELPER double split_log(double x, long* k) {
  bool small = x < 0x1p-1022;
  long bits = as_long(small ? x * 0x1p54 : x) - 0x3fe6a09e667f3bcd;
  *k = (bits >> 52) - (small ? 54 : 0);
  return as_double((bits & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
}

// ln(1 + f) - f for 1 + f between the roots of 1/2 and 2.
HELPER float log1p_tail(float f) {
  float p = POLY9(f, 0x1.555546p-2f, -0x1.ffffeep-3f, 0x1.99a52ap-3f, -0x1.5562d8p-3f,
                  0x1.233488p-3f, -0x1.fb463ep-4f, 0x1.e63c1ap-4f, -0x1.e2d20ep-4f, 0x1.1b51acp-4f);
  return f * f * MAD(f, p, -0.5f);
}
HELPER double log1p_tail(double f) {
  double s = f / (2.0 + f);
  double z = s * s;
  double p =
      POLY7(z, 0x1.5555555555567p-1, 0x1.999999998c4afp-2, 0x1.2492493825d19p-2,
            0x1.c71c594765a48p-3, 0x1.7464df96f7046p-3, 0x1.39c2c9ed66e6cp-3, 0x1.2dcbd6e5fe49cp-3);
  return s * MAD(z, p, -f);
}

// x = m 2^k with m in [3/4, 3/2): f = m - 1. k is -inf for 0 and inf for inf, and f then finite,
// so that k times a factor is the logarithm; f is NaN for x < 0 and NaN.
#define SPLIT_WHOLE(T)                                                                             \
  HELPER T split_whole(T x, T* k) {                                                                \
    T m = mantissa_step(x);                                                                        \
    *k = exponent_step(x) - exponent_step(m);                                                      \
    return m - (T)1;                                                                               \
  }
SPLIT_WHOLE(float)
SPLIT_WHOLE(double)

// (ln(1 + f) - f) / f^2, log2(1 + f) / f and log10(1 + f) / f for f in [-1/4, 1/2].
HELPER float log_quotient(float f) {
  return POLY9(f, -0x1p-1f, 0x1.5555a4p-2f, -0x1.00009ep-2f, 0x1.996a56p-3f, -0x1.54d822p-3f,
               0x1.284c5ap-3f, -0x1.0e387ap-3f, 0x1.b202cap-4f, -0x1.7ab82ep-5f);
}
HELPER float log2_quotient(float f) {
  return POLY10(f, 0x1.715476p+0f, -0x1.715476p-1f, 0x1.ec713ep-2f, -0x1.71557cp-2f, 0x1.274f7ap-2f,
                -0x1.ebac6p-3f, 0x1.abd456p-3f, -0x1.86a4fcp-3f, 0x1.38c63cp-3f, -0x1.0ef584p-4f);
}
HELPER float log10_quotient(float f) {
  return POLY10(f, 0x1.bcb7b2p-2f, -0x1.bcb7bp-3f, 0x1.287ad6p-3f, -0x1.bcb8ecp-4f, 0x1.6396d8p-4f,
                -0x1.28045p-4f, 0x1.019438p-4f, -0x1.d662p-5f, 0x1.789e2ap-5f, -0x1.464466p-6f);
}

// ln(1 + f) for f in [-1/4, 1/2].
HELPER double log_of_sum(double f) {
  double s = f / (2.0 + f);
  double z = s * s;
  double p =
      POLY7(z, 0x1.555555555561ap-1, 0x1.9999999937f3p-2, 0x1.249249898ed9dp-2,
            0x1.c71c173653235p-3, 0x1.7471dec13b563p-3, 0x1.3887ead3fd6cep-3, 0x1.394de2f2ef0b2p-3);
  return MAD(s, MAD(z, p, -f), f);
}

// ln(1 + f) + k ln 2.
HELPER float log_sum(float f, float k) {
  float low = MAD(k, 0x1.7f7d1cp-20f, log1p_tail(f));
  return MAD(k, 0x1.62e4p-1f, f + low);
}
HELPER double log_sum(double f, double k) {
  double low = MAD(k, -0x1.8432a1b0e2634p-43, log1p_tail(f));
  return MAD(k, 0x1.62e42fefa4p-1, f + low);
}

// ln(1 + x) where x > -1 and finite. Where 1 + x is rounded, (1 + x) / 2^k - 1 is not.
HELPER float log1p_ordinary(float x) {
  int k;
  float m = split_log(1.0f + x, &k);
  float s = exp2i(-k);
  float f = x > 0x1p40f ? m - 1.0f : FMA(s, x, s - 1.0f);
  return log_sum(f, (float)k);
}
HELPER double log1p_ordinary(double x) {
  long k;
  double m = split_log(1.0 + x, &k);
  double s = exp2i(-k);
  double f = x > 0x1p80 ? m - 1.0 : FMA(s, x, s - 1.0);
  return log_sum(f, (double)k);
}

#endif
